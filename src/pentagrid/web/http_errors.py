"""Errors of the server, each with a stable code and an HTTP status."""

from __future__ import annotations

from typing import ClassVar

from pentagrid.errors import PentagridError


class WebError(PentagridError):
    """An error of the server itself; errors of the library keep their own codes."""

    status: ClassVar[int] = 400


class BadRequestError(WebError):
    """A request that does not have the form the API asks for."""

    code, status = "bad-request", 422


class NotJsonError(WebError):
    """A request that changes something must be JSON: forms of other sites cannot send that."""

    code, status = "not-json", 415


class TooLargeError(WebError):
    """A request that is larger than any the API needs."""

    code, status = "too-large", 413


class TooManyError(WebError):
    """More requests from one address than a person makes."""

    code, status = "too-many-requests", 429


class OriginError(WebError):
    """A request that changes something and comes from another site."""

    code, status = "other-origin", 403


class HostError(WebError):
    """A request to a name that is not this server's: a page of another site may have sent it."""

    code, status = "wrong-host", 421


class NoSuchGameError(WebError):
    """There is no game with this id."""

    code, status = "no-such-game", 404


class NoSuchPageError(WebError):
    """There is nothing at this address."""

    code, status = "no-such-page", 404


class WrongMethodError(WebError):
    """There is something at this address, but not for this method."""

    code, status = "no-such-method", 405


class TokenError(WebError):
    """Something other than a token was given as one."""

    code, status = "wrong-token", 401


class SeatError(WebError):
    """The visitor does not hold the seat that may do this."""

    code, status = "wrong-seat", 403


class InvitationError(WebError):
    """A link that gives no seat."""

    code, status = "wrong-invitation", 403


class UsedInvitationError(WebError):
    """A link that gave a seat once, and no longer does."""

    code, status = "used-invitation", 403


class StaleError(WebError):
    """The game has gone on since the visitor last saw it."""

    code, status = "stale", 409


class ValuesHiddenError(WebError):
    """Values of a running game between people, requested by someone who must not see them."""

    code, status = "values-hidden", 403


class BusyError(WebError):
    """More analyses at once than the server takes on."""

    code, status = "busy", 503


class GoneError(WebError):
    """The visitor went away before the answer was there; nobody reads this."""

    code, status = "gone", 499


class StoreError(WebError):
    """The database does not answer; nothing was changed."""

    code, status = "store-unavailable", 503
