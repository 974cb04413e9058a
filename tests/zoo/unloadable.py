raise RuntimeError("no screen")


def make():
    pass
