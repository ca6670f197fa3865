class Item:
    def __init__(self, name, price=1.0, qty=1):
        self.name = name
        self.price = price
        self.qty = qty
    def total(self): return self.price * self.qty
class Acc:
    def __init__(self, owner):
        self.owner = owner
        self.balance = 0.0
    def deposit(self, amt): self.balance += amt; return self.balance
def show(x): return f"{x.name}: {x.price} {x.qty}"
it = Item("pen", 10.0, 2)
print(it.price, f"{it.price}", str(it.price), [it.price], show(it), it.total(), it.qty)
for x in [Item("a", 5.0), Item("b", 2.5, 4)]: print(x.name, x.price, x.price * 2, x.price + 1, x.qty, x.qty * 2)
a = Acc("bob"); a.deposit(50); print(a.balance, a.deposit(25))
def rep(items): return ["%s=%s" % (i.name, i.price) for i in items]
print(rep([Item("q", 3.0)]), sum(i.price for i in [Item("q", 3.0)]), max(i.price for i in [Item("q", 3.0), Item("w", 4.0)]))
class V:
    def __init__(self, x: float, y: float): self.x = x; self.y = y
    def __add__(self, o): return V(self.x + o.x, self.y + o.y)
    def __repr__(self): return f"V({self.x}, {self.y})"
    @property
    def norm(self): return (self.x ** 2 + self.y ** 2) ** 0.5
print(V(1.0, 2.0) + V(3.0, 4.5), V(3.0, 4.0).norm, [V(0.0, 1.0)])
class Temp:
    def __init__(self, c): self.celsius = c / 1
    def both(self): return (self.celsius, self.celsius * 9 / 5 + 32)
print(Temp(100).both(), Temp(20).celsius)
