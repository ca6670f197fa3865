"""Bank ledger: exceptions, context managers, transactions, audit log, decorators."""
from contextlib import contextmanager, ExitStack, suppress
from datetime import datetime, timedelta
from decimal import Decimal
from functools import wraps, total_ordering, partial
from itertools import count, groupby, accumulate
from operator import attrgetter, itemgetter
from typing import Iterator, Optional
import copy


class BankError(Exception):
    """Base of all errors."""
    code: int = 100

    def __init__(self, message, **details):
        super().__init__(message)
        self.details = details

    def __str__(self):
        base = super().__str__()
        if self.details:
            extra = ", ".join(f"{k}={v}" for k, v in sorted(self.details.items()))
            return f"[{self.code}] {base} ({extra})"
        return f"[{self.code}] {base}"


class InsufficientFunds(BankError):
    code = 201

    def __init__(self, account, needed):
        super().__init__("insufficient funds", account=account.iban, needed=needed, available=account.available)
        self.account = account
        self.needed = needed

    @property
    def shortfall(self):
        return self.needed - self.account.available


class AccountClosed(BankError):
    code = 202


class LimitExceeded(BankError):
    code = 203


class RollbackOnly(Exception):
    pass


def audited(action=None, *, level="info"):
    def decorate(fn):
        label = action or fn.__name__

        @wraps(fn)
        def wrapper(self, *args, **kwargs):
            entry = {"action": label, "level": level, "args": args, "ok": False}
            try:
                result = fn(self, *args, **kwargs)
                entry["ok"] = True
                return result
            except BankError as err:
                entry["error"] = type(err).__name__
                raise
            finally:
                self.bank.audit.append(entry)
        wrapper.audited = True
        return wrapper
    if callable(action):
        fn, action = action, None
        return decorate(fn)
    return decorate


@total_ordering
class Entry:
    __slots__ = ("seq", "kind", "amount", "balance", "memo")
    _ids = count(1)

    def __init__(self, kind: str, amount: int, balance: int, memo: str = ""):
        self.seq = next(Entry._ids)
        self.kind, self.amount, self.balance, self.memo = kind, amount, balance, memo

    def __eq__(self, other):
        if not isinstance(other, Entry):
            return NotImplemented
        return self.seq == other.seq

    def __lt__(self, other):
        return self.seq < other.seq

    def __hash__(self):
        return hash(self.seq)

    def __repr__(self):
        sign = "+" if self.amount >= 0 else "-"
        return f"<{self.seq}:{self.kind} {sign}{abs(self.amount)}={self.balance}>"


class Account:
    kind = "basic"
    overdraft = 0

    def __init__(self, bank: "Bank", iban: str, owner: str, balance: int = 0) -> None:
        self.bank = bank
        self.iban = iban
        self.owner = owner
        self._balance = balance
        self.entries: list[Entry] = []
        self.open = True

    @property
    def balance(self) -> int:
        return self._balance

    @property
    def available(self) -> int:
        return self._balance + self.overdraft

    def _record(self, kind: str, amount: int, memo: str = "") -> Entry:
        if not self.open:
            raise AccountClosed("account is closed", iban=self.iban)
        self._balance += amount
        e = Entry(kind, amount, self._balance, memo)
        self.entries.append(e)
        return e

    @audited
    def deposit(self, amount: int, memo: str = "") -> Entry:
        """Puts money in."""
        if amount <= 0:
            raise ValueError(f"amount must be positive: {amount}")
        return self._record("deposit", amount, memo)

    @audited("take", level="warn")
    def withdraw(self, amount: int, *, memo: str = "") -> Entry:
        if amount > self.available:
            raise InsufficientFunds(self, amount)
        return self._record("withdraw", -amount, memo)

    def __iter__(self) -> Iterator[Entry]:
        yield from self.entries

    def __contains__(self, memo):
        return any(memo in e.memo for e in self.entries)

    def __format__(self, spec):
        if spec == "short":
            return f"{self.owner}:{self._balance}"
        if spec:
            return format(self._balance, spec)
        return repr(self)

    def __repr__(self):
        return f"{type(self).__name__}({self.iban!r}, {self.owner!r}, {self._balance})"


class Savings(Account):
    kind = "savings"

    def __init__(self, *args, rate: float = 0.02, **kwargs):
        super().__init__(*args, **kwargs)
        self.rate = rate
        self.withdrawals = 0

    def withdraw(self, amount, *, memo=""):
        if self.withdrawals >= 2:
            raise LimitExceeded("too many withdrawals", iban=self.iban, limit=2)
        result = super().withdraw(amount, memo=memo)
        self.withdrawals += 1
        return result

    def add_interest(self, days: int = 365) -> Entry:
        interest = round(self._balance * self.rate * days / 365)
        return self._record("interest", interest, f"{days}d @ {self.rate:.2%}")


class Giro(Account):
    kind = "giro"
    overdraft = 500


class Bank:
    TYPES = {cls.kind: cls for cls in (Account, Savings, Giro)}

    def __init__(self, name):
        self.name = name
        self.accounts = {}
        self.audit = []
        self._numbers = count(1)
        self._depth = 0

    def open(self, owner, kind="basic", balance=0, **options):
        iban = f"{self.name[:2].upper()}{next(self._numbers):04d}"
        try:
            cls = self.TYPES[kind]
        except KeyError as e:
            raise BankError("unknown kind", kind=kind) from e
        account = self.accounts[iban] = cls(self, iban, owner, balance, **options)
        return account

    def __getitem__(self, iban):
        return self.accounts[iban]

    @contextmanager
    def transaction(self, label="tx"):
        self._depth += 1
        saved = {i: (a._balance, len(a.entries)) for i, a in self.accounts.items()}
        print(f"{'  ' * self._depth}begin {label}")
        try:
            yield self
        except BaseException as e:
            for i, (balance, n) in saved.items():
                self.accounts[i]._balance = balance
                del self.accounts[i].entries[n:]
            print(f"{'  ' * self._depth}rollback {label}: {type(e).__name__}")
            if not isinstance(e, RollbackOnly):
                raise
        else:
            print(f"{'  ' * self._depth}commit {label}")
        finally:
            self._depth -= 1

    def transfer(self, source, target, amount, memo="transfer"):
        with self.transaction(f"{source}->{target}"):
            self[target].deposit(amount, memo)
            self[source].withdraw(amount, memo=memo)

    def statement(self, iban):
        a = self[iban]
        yield f"Statement {iban} for {a.owner}"
        for kind, group in groupby(sorted(a, key=lambda e: (e.kind, e.seq)), key=attrgetter("kind")):
            items = list(group)
            yield f"  {kind:<10}{len(items):>3}{sum(e.amount for e in items):>+9,d}"
        yield f"  {'balance':<10}{'':3}{a.balance:>9,d}"


class Lock:
    held = []

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        Lock.held.append(self.name)
        return self

    def __exit__(self, kind, value, tb):
        Lock.held.remove(self.name)
        if kind is not None:
            print("lock", self.name, "saw", kind.__name__, value)
        return False


def main():
    bank = Bank("First")
    ann = bank.open("Ann", "giro", 1000)
    bob = bank.open("Bob", "savings", balance=2000, rate=0.035)
    eve = bank.open("Eve")
    print(ann, f"{bob:short}", f"{eve:>8}", f"{ann:,}", "{:short}".format(eve))
    bank.transfer(ann.iban, eve.iban, 1400, memo="rent")
    print(ann.balance, eve.balance, "rent" in ann, "food" in ann)
    for call in [partial(bank.transfer, "FI0001", "FI0002", 200), lambda: bank.transfer("FI0003", "FI0009", 1),
                 lambda: bank.open("Zed", "gold"), lambda: eve.deposit(-5), lambda: eve.deposit(5, memo="ok", extra=1)]:
        try:
            call()
        except InsufficientFunds as e:
            print(e, e.shortfall, e.code, e.args, e.account is ann)
        except (BankError, KeyError) as e:
            print(repr(e), str(e), repr(e.__cause__))
        except (ValueError, TypeError) as e:
            print(type(e).__name__, e)
    for n in range(3):
        try:
            bob.withdraw(100 * (n + 1), memo=f"w{n}")
        except LimitExceeded as e:
            print(e, e.details["limit"])
    bob.add_interest(180)
    with bank.transaction("outer"):
        eve.deposit(50)
        try:
            with bank.transaction("inner"):
                eve.deposit(1)
                eve.withdraw(10 ** 6)
        except BankError as e:
            print("inner failed", e.code)
        with bank.transaction("dry run"):
            eve.deposit(77)
            raise RollbackOnly()
    print(eve.balance, eve.entries)
    eve.open = False
    try:
        eve.deposit(1)
    except AccountClosed as e:
        print(e)
    with suppress(BankError), Lock("a"):
        with Lock("b") as b:
            print(Lock.held, b.name)
            eve.withdraw(1)
    print(Lock.held)
    with ExitStack() as stack:
        for name in "xyz":
            stack.enter_context(Lock(name))
        stack.callback(print, "callback", Lock.held)
        print(Lock.held)
    for line in bank.statement("FI0002"):
        print(line)
    print([(a["action"], a["ok"], a.get("error", "-")) for a in bank.audit])
    print({k: len(list(g)) for k, g in groupby(sorted(bank.audit, key=itemgetter("level")), key=itemgetter("level"))})
    print(Account.deposit.__name__, Account.withdraw.audited, hasattr(Account._record, "audited"))
    es = ann.entries + bob.entries
    print(max(es), min(es) < max(es), sorted(es, reverse=True)[0] >= es[0], es[0] == es[0], es[0] != 5, len(set(es + es)))
    print(list(accumulate(e.amount for e in bob)), [e.balance for e in bob])
    shallow = copy.copy(bob)
    deep = copy.deepcopy(bob.entries)
    print(shallow.entries is bob.entries, deep == bob.entries, deep[0] is bob.entries[0], isinstance(shallow, Savings))


main()
