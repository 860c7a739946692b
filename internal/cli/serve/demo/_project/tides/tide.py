# Heights of the tide.
from math import cos, radians

def node(t):
    """Longitude of the Moon's ascending node at t, in radians."""
    return radians(125.04 - 0.05295 * days(t))

def height(t):
    n = node(t)
    return mean + sum(f(n) * a * cos(w * t - p + u(n)) for a, w, p, f, u in parts)
