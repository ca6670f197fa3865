"""Invoices with decimals, dates, taxes and discounts."""
from __future__ import annotations
from dataclasses import dataclass, field, asdict, replace
from datetime import date, timedelta, datetime
from decimal import Decimal, ROUND_HALF_UP, ROUND_DOWN, InvalidOperation
from enum import Enum, auto
from typing import Optional, Iterable
from collections import defaultdict
import json
import textwrap

CENT = Decimal("0.01")


class Status(Enum):
    DRAFT = auto()
    SENT = auto()
    PAID = auto()
    OVERDUE = auto()

    def __str__(self) -> str:
        return self.name.title()


class Currency(str, Enum):
    EUR = "EUR"
    USD = "USD"

    @property
    def symbol(self) -> str:
        return {"EUR": "€", "USD": "$"}[self.value]


def money(value) -> Decimal:
    return Decimal(str(value)).quantize(CENT, rounding=ROUND_HALF_UP)


@dataclass(frozen=True)
class TaxRate:
    name: str
    percent: Decimal

    def apply(self, net: Decimal) -> Decimal:
        return money(net * self.percent / 100)


VAT = TaxRate("VAT", Decimal("19"))
REDUCED = TaxRate("Reduced", Decimal("7"))
NONE = TaxRate("None", Decimal(0))


@dataclass
class Line:
    text: str
    quantity: int
    price: Decimal
    tax: TaxRate = VAT
    discount: Decimal = Decimal("0")

    def __post_init__(self):
        if self.quantity <= 0:
            raise ValueError(f"quantity of {self.text!r} must be positive, got {self.quantity}")
        if not isinstance(self.price, Decimal):
            self.price = money(self.price)

    @property
    def net(self) -> Decimal:
        gross = self.price * self.quantity
        return money(gross - gross * self.discount / 100)

    @property
    def tax_amount(self) -> Decimal:
        return self.tax.apply(self.net)


@dataclass(order=True)
class Invoice:
    number: int
    customer: str = field(compare=False)
    issued: date = field(compare=False)
    terms: int = field(default=30, compare=False)
    currency: Currency = field(default=Currency.EUR, compare=False)
    lines: list[Line] = field(default_factory=list, compare=False, repr=False)
    status: Status = field(default=Status.DRAFT, compare=False)
    payments: list[tuple[date, Decimal]] = field(default_factory=list, compare=False, repr=False)

    @property
    def due(self) -> date:
        return self.issued + timedelta(days=self.terms)

    def add(self, *lines: Line) -> "Invoice":
        for line in lines:
            self.lines.append(line)
        return self

    def totals(self) -> dict[str, Decimal]:
        net = sum((l.net for l in self.lines), Decimal(0))
        tax = sum((l.tax_amount for l in self.lines), Decimal(0))
        return {"net": net, "tax": tax, "gross": net + tax}

    def taxes(self) -> dict[str, Decimal]:
        out: dict[str, Decimal] = defaultdict(Decimal)
        for l in self.lines:
            out[l.tax.name] += l.tax_amount
        return dict(out)

    @property
    def open_amount(self) -> Decimal:
        return self.totals()["gross"] - sum((amount for _, amount in self.payments), Decimal("0"))

    def pay(self, on: date, amount) -> Decimal:
        amount = money(amount)
        if amount <= 0:
            raise ValueError("payment must be positive")
        if amount > self.open_amount:
            raise ValueError(f"payment {amount} exceeds open amount {self.open_amount}")
        self.payments.append((on, amount))
        if self.open_amount == 0:
            self.status = Status.PAID
        return self.open_amount

    def refresh(self, today: date) -> Status:
        if self.status is Status.SENT and today > self.due:
            self.status = Status.OVERDUE
        return self.status


class Book:
    def __init__(self, start: int = 1000):
        self._next = start
        self._invoices: dict[int, Invoice] = {}

    def __len__(self) -> int:
        return len(self._invoices)

    def __iter__(self):
        return iter(sorted(self._invoices.values()))

    def __getitem__(self, number: int) -> Invoice:
        try:
            return self._invoices[number]
        except KeyError:
            raise LookupError(f"no invoice {number}") from None

    def create(self, customer: str, issued: date, **options) -> Invoice:
        invoice = Invoice(self._next, customer, issued, **options)
        self._invoices[invoice.number] = invoice
        self._next += 1
        return invoice

    def overdue(self, today: date) -> list[Invoice]:
        return [i for i in self if i.refresh(today) is Status.OVERDUE]

    def by_customer(self) -> dict[str, Decimal]:
        out: dict[str, Decimal] = {}
        for i in self:
            out[i.customer] = out.get(i.customer, Decimal("0.00")) + i.totals()["gross"]
        return dict(sorted(out.items(), key=lambda kv: (-kv[1], kv[0])))

    def aging(self, today: date) -> dict[str, list[int]]:
        buckets: dict[str, list[int]] = {"current": [], "1-30": [], "31-60": [], "60+": []}
        for i in self:
            if i.status in (Status.PAID, Status.DRAFT):
                continue
            late = (today - i.due).days
            if late <= 0:
                key = "current"
            elif late <= 30:
                key = "1-30"
            elif late <= 60:
                key = "31-60"
            else:
                key = "60+"
            buckets[key].append(i.number)
        return buckets


def render(invoice: Invoice, width: int = 60) -> str:
    rows = [f"Invoice #{invoice.number:06d}".ljust(width - 12) + f"{invoice.issued:%Y-%m-%d}".rjust(12)]
    rows.append("=" * width)
    for index, line in enumerate(invoice.lines, start=1):
        text = textwrap.shorten(line.text, 28, placeholder="...")
        rows.append(f"{index:>2}. {text:<28}{line.quantity:>5} x {line.price:>9,.2f} = {line.net:>9,.2f}")
        if line.discount:
            rows.append(f"    less {line.discount}%")
    rows.append("-" * width)
    totals = invoice.totals()
    for key in ("net", "tax", "gross"):
        rows.append(f"{key.capitalize():<40}{invoice.currency.symbol}{totals[key]:>{width - 41},.2f}")
    rows.append(f"Due {invoice.due.strftime('%d %b %Y')} ({invoice.due:%A})")
    return "\n".join(rows)


def encode(value):
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, Status):
        return value.name
    raise TypeError(f"cannot encode {type(value).__name__}")


def main() -> None:
    book = Book()
    a = book.create("Acme", date(2024, 1, 15)).add(
        Line("Consulting in the matter of the large and slow database", 8, Decimal("120.00")),
        Line("Book", 3, 24.95, REDUCED, discount=Decimal("10")),
    )
    b = book.create("Globex", date(2024, 2, 28), terms=14, currency=Currency.USD)
    b.add(Line("Licence", 1, "999.99", NONE))
    c = book.create("Acme", date(2023, 11, 30), terms=60).add(Line("Hosting", 12, "9.99"))
    print(len(book), [i.number for i in book])
    print(render(a))
    print(render(b, 50))
    print(a)
    print(b.lines[0])
    print(a.taxes(), c.totals())
    for i in book:
        i.status = Status.SENT
    today = date(2024, 3, 20)
    print(book.overdue(today) == [a, b, c], [str(i.status) for i in book])
    print(book.aging(today), book.by_customer())
    for number, when, amount in [(1000, date(2024, 3, 1), 500), (1000, date(2024, 3, 2), 5000), (1000, date(2024, 3, 3), "-1"), (1007, today, 1), (1001, today, "999.99")]:
        try:
            rest = book[number].pay(when, amount)
        except LookupError as e:
            print("lookup:", e)
        except ValueError as e:
            print("value:", e)
        else:
            print(number, "rest", rest, book[number].status)
    try:
        Line("bad", 0, "1")
    except ValueError as e:
        print(e)
    try:
        Decimal("12,5")
    except InvalidOperation as e:
        print("invalid", type(e).__name__)
    try:
        VAT.percent = Decimal(20)
    except Exception as e:
        print(type(e).__name__, e)
    copy = replace(a, number=2000, customer="Copy")
    print(copy > a, copy == a, copy.customer, sorted([copy, c, a])[0].number)
    print(json.dumps(asdict(a), default=encode, indent=1, sort_keys=True))
    print(asdict(b)["lines"][0]["tax"], b.due - b.issued, (b.due - timedelta(weeks=1)).isoformat())
    print(sum(x.open_amount for x in book), max(book, key=lambda x: x.open_amount).customer)
    print((Decimal(10) / 3).quantize(CENT), (Decimal(10) / 3).quantize(CENT, ROUND_DOWN), Decimal("1.10") + Decimal("2.2"), round(Decimal("2.675"), 2))
    months = sorted({i.issued.replace(day=1) for i in book})
    print([f"{m:%b %y}" for m in months], (months[-1] - months[0]).days)


if __name__ == "__main__":
    main()
