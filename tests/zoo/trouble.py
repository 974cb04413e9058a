"""Environments that do not return: one loops in Python, one in C without letting any other thread run."""

import re

from pick import Pick


class Loops(Pick):
    def step(self, action):
        stuck = self.scores[0] > 10
        while stuck:
            pass
        return super().step(action)


class LoopsInC(Pick):
    def step(self, action):
        if self.scores[0] > 10:
            re.match(r"(a+)+$", "a" * 60 + "b")
        return super().step(action)
