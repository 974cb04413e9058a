"""Games of OpenSpiel through Shimmy, which alone checks no action: an illegal one is played, or ends the process."""

from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, TerminateIllegalWrapper
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0


def _guarded(name):
    env = OpenSpielCompatibilityV0(game_name=name)
    return AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1))


def tic_tac_toe():
    return _guarded("tic_tac_toe")


def connect_four():
    return _guarded("connect_four")
