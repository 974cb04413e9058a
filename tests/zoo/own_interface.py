"""A protocol file: it explains an environment with an interface of its own."""


class Countdown:
    def __init__(self):
        self.start()

    def start(self):
        self.left, self.who = 15, "first"

    def choices(self):
        return [n for n in (1, 2) if n <= self.left]

    def take(self, n):
        if n not in self.choices():
            raise ValueError(n)
        self.left -= n
        mover, self.who = self.who, "second" if self.who == "first" else "first"
        return 1 if self.left == 0 else 0, mover


def make():
    return Countdown()


def reset(env, seed):
    env.start()
    return env.left, {}


def step(env, action):
    reward, mover = env.take(action)
    return env.left, reward, env.left == 0, False, {"winner": mover if env.left == 0 else None}


def legal(env):
    return env.choices()


def player(env):
    return env.who
