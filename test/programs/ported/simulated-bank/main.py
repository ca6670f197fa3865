"""Accounts with properties, custom errors, a ledger and a monthly report."""
from datetime import date, timedelta
from functools import total_ordering
from contextlib import contextmanager


class BankError(Exception):
    """Base of what may go wrong."""


class InsufficientFunds(BankError):
    def __init__(self, needed, available):
        super().__init__(f"need {needed:.2f}, have {available:.2f}")
        self.needed = needed
        self.available = available


@total_ordering
class Money:
    __slots__ = ("cents",)

    def __init__(self, amount):
        self.cents = round(amount * 100)

    def __eq__(self, other):
        return self.cents == other.cents

    def __lt__(self, other):
        return self.cents < other.cents

    def __add__(self, other):
        return Money((self.cents + other.cents) / 100)

    def __sub__(self, other):
        return Money((self.cents - other.cents) / 100)

    def __hash__(self):
        return hash(self.cents)

    def __repr__(self):
        return f"Money({self.cents / 100:.2f})"

    def __format__(self, spec):
        return format(f"${self.cents / 100:,.2f}", spec)


class Account:
    __next_number = 1000

    def __init__(self, owner, balance=Money(0)):
        self.owner = owner
        self.__balance = balance
        self.__history = []
        Account.__next_number += 1
        self.number = Account.__next_number

    @property
    def balance(self):
        return self.__balance

    @balance.setter
    def balance(self, value):
        if value < Money(0):
            raise ValueError("negative balance")
        self.__history.append((self.__balance, value))
        self.__balance = value

    @property
    def history(self):
        return tuple(self.__history)

    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(amount.cents / 100, self.balance.cents / 100)
        self.balance = self.balance - amount

    def deposit(self, amount):
        self.balance += amount


class Savings(Account):
    rate = 0.05

    def __init__(self, owner, balance=Money(0), rate=None):
        super().__init__(owner, balance)
        if rate is not None:
            self.rate = rate

    def accrue(self):
        interest = Money(self.balance.cents / 100 * self.rate)
        self.deposit(interest)
        return interest


class Bank:
    def __init__(self):
        self.accounts = {}
        self.log = []

    def open(self, kind, *args, **kwargs):
        account = kind(*args, **kwargs)
        self.accounts[account.number] = account
        return account

    @contextmanager
    def transaction(self, label):
        snapshot = {n: a.balance for n, a in self.accounts.items()}
        self.log.append(f"begin {label}")
        try:
            yield self
        except BankError as e:
            for n, b in snapshot.items():
                self.accounts[n].balance = b
            self.log.append(f"rollback {label}: {e}")
        else:
            self.log.append(f"commit {label}")

    def transfer(self, a, b, amount):
        with self.transaction(f"{a.owner}->{b.owner}"):
            b.deposit(amount)
            a.withdraw(amount)

    def report(self):
        width = max(len(a.owner) for a in self.accounts.values())
        for n in sorted(self.accounts):
            a = self.accounts[n]
            yield f"{n} {a.owner:<{width}} {a.balance:>12} {len(a.history)}"


bank = Bank()
ann = bank.open(Account, "Ann", Money(120.5))
bob = bank.open(Savings, "Bobby", balance=Money(50), rate=0.1)
bank.transfer(ann, bob, Money(100))
bank.transfer(ann, bob, Money(100))
print(bob.accrue(), Savings.rate, bob.rate)
print(*bank.report(), sep="\n")
print(*bank.log, sep="\n")
try:
    ann.balance = Money(-1)
except ValueError as e:
    print("error:", e)
try:
    ann.withdraw(Money(1000))
except InsufficientFunds as e:
    print(type(e).__name__, e, e.available, e.args)
print(max(ann.balance, bob.balance), Money(1) <= Money(1), sorted([Money(3), Money(1.5)]), {Money(1): "x"}[Money(1)])
print(ann._Account__balance, hasattr(ann, "__balance"), ann.history[0])
start = date(2024, 1, 31)
schedule = [start + timedelta(days=30 * i) for i in range(4)]
print([d.isoformat() for d in schedule], (schedule[-1] - schedule[0]).days, schedule[1].strftime("%d %b %Y"))
print([d.strftime("%A") for d in schedule if d.weekday() < 5])
