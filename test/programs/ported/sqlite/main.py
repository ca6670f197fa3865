import sqlite3
import os
import datetime
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
con = sqlite3.connect(":memory:")
cur = con.cursor()
cur.execute("CREATE TABLE stocks (date text, trans text, symbol text, qty real, price real)")
print(cur.description, cur.rowcount, con.in_transaction)
cur.execute("INSERT INTO stocks VALUES ('2006-01-05','BUY','RHAT',100,35.14)")
print(cur.rowcount, cur.lastrowid, con.in_transaction)
con.commit()
print(con.in_transaction)
rows = [("2006-03-28", "BUY", "IBM", 1000, 45.5), ("2006-04-05", "BUY", "MSFT", 1000, 72.5), ("2006-04-06", "SELL", "IBM", 500, 53.25)]
cur.executemany("INSERT INTO stocks VALUES (?,?,?,?,?)", rows)
print(cur.rowcount)
for row in cur.execute("SELECT symbol, price FROM stocks ORDER BY price"):
    print(row)
print(cur.execute("SELECT count(*) FROM stocks WHERE symbol = ?", ("IBM",)).fetchone())
wanted = {"s": "IBM", "t": "SELL"}
print(cur.execute("SELECT symbol FROM stocks WHERE symbol=:s AND trans=:t", wanted).fetchall())
print([d[0] for d in cur.description], cur.fetchone(), cur.fetchall())
cur.execute("SELECT symbol FROM stocks ORDER BY rowid")
print(cur.fetchmany(2), cur.fetchone(), cur.fetchmany(9), cur.fetchmany())
con.row_factory = sqlite3.Row
r = con.execute("SELECT symbol, trans AS kind, price FROM stocks WHERE price > ?", [50]).fetchone()
print(r["symbol"], r["KIND"], r[0], r[-1], tuple(r), list(r), dict(r), r.keys(), len(r), r[0:2], [k for k in r])
t(lambda: r["nope"])
t(lambda: r[9])
print(type(r).__name__, isinstance(r, sqlite3.Row))
def dict_factory(cursor, row):
    return {c[0]: v for c, v in zip(cursor.description, row)}
con.row_factory = dict_factory
print(con.execute("SELECT symbol, qty * 0.0005 AS half FROM stocks WHERE symbol = 'MSFT'").fetchall())
con.row_factory = None
con.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, age INTEGER)")
with con:
    con.execute("INSERT INTO person (name, age) VALUES (?, ?)", ("Ann", 30))
try:
    with con:
        con.execute("INSERT INTO person (name, age) VALUES (?, ?)", ("Bob", 5))
        con.execute("INSERT INTO person (name, age) VALUES (?, ?)", ("Ann", 31))
except sqlite3.IntegrityError as e:
    print("integrity", e, e.sqlite_errorname, e.sqlite_errorcode)
print(con.execute("SELECT * FROM person").fetchall())
t(lambda: con.execute("SELEC 1"))
t(lambda: con.execute("SELECT * FROM missing"))
t(lambda: con.execute("SELECT ?", ()))
t(lambda: con.execute("SELECT ?, ?", (1,)))
t(lambda: con.execute("SELECT ?", (1, 2)))
t(lambda: con.execute("SELECT :a", {"b": 1}))
t(lambda: con.execute("INSERT INTO person (name) VALUES (NULL)"))
con.rollback()
t(lambda: con.execute(5))
print(issubclass(sqlite3.IntegrityError, sqlite3.DatabaseError), issubclass(sqlite3.DatabaseError, sqlite3.Error), issubclass(sqlite3.OperationalError, sqlite3.Error), sqlite3.Error.__mro__[1])
cur = con.execute("UPDATE person SET age = age + 1 WHERE name = 'Ann'")
print(cur.rowcount, con.total_changes > 0)
con.commit()
print(con.execute("DELETE FROM person WHERE age > 100").rowcount)
con.commit()
con.executescript("""
    CREATE TABLE a (x); -- comment
    INSERT INTO a VALUES (1);
    INSERT INTO a VALUES (2);
    CREATE TABLE b (y TEXT DEFAULT 'q;q');
""")
print(con.execute("SELECT x FROM a").fetchall(), [x for (x,) in con.execute("SELECT x FROM a")])
print(con.execute("SELECT 1, 2.5, 'text', NULL, x'00ff', 9007199254740993, -5").fetchone())
print(con.execute("SELECT ?, ?, ?, ?, ?", (True, None, b"ab", 2**40, "é")).fetchone())
print(con.execute("SELECT typeof(?), typeof(?), typeof(?), typeof(?)", (1, 1.5, "a", b"a")).fetchone())
print(con.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name").fetchall())
print(con.execute("INSERT INTO person (name, age) VALUES ('Cy', 3) RETURNING id, name").fetchall())
con.commit()
print(con.execute("PRAGMA table_info(person)").fetchall())
con.execute("CREATE TABLE ev (d date, ts timestamp)")
con.execute("INSERT INTO ev VALUES (?, ?)", (datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5)))
print(con.execute("SELECT * FROM ev").fetchone())
con.commit()
path = "sqlite-test.db"
if os.path.exists(path):
    os.remove(path)
db = sqlite3.connect(path, detect_types=sqlite3.PARSE_DECLTYPES)
db.execute("CREATE TABLE ev (d date, ts timestamp, n integer)")
db.execute("INSERT INTO ev VALUES (?, ?, ?)", (datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5), 7))
db.commit()
print(db.execute("SELECT * FROM ev").fetchone())
db.close()
t(lambda: db.execute("SELECT 1"))
db2 = sqlite3.connect(path)
print(db2.execute("SELECT n FROM ev").fetchone())
db2.execute("INSERT INTO ev (n) VALUES (8)")
db2.close()
db3 = sqlite3.connect(path, isolation_level=None)
print(db3.execute("SELECT n FROM ev").fetchall())
db3.execute("INSERT INTO ev (n) VALUES (9)")
print(db3.in_transaction)
db3.execute("BEGIN")
db3.execute("DELETE FROM ev")
print(db3.in_transaction)
db3.execute("ROLLBACK")
print(db3.execute("SELECT count(*) FROM ev").fetchone()[0])
db3.close()
os.remove(path)
t(lambda: sqlite3.connect("/no/such/dir/x.db"))
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
def adapt(p):
    return f"{p.x};{p.y}"
sqlite3.register_adapter(Point, adapt)
sqlite3.register_converter("point", lambda s: Point(*map(int, s.split(b";"))))
c4 = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES | sqlite3.PARSE_COLNAMES)
c4.execute("CREATE TABLE p (p point)")
c4.execute("INSERT INTO p VALUES (?)", (Point(4, 5),))
pt = c4.execute("SELECT p FROM p").fetchone()[0]
print(pt.x, pt.y, c4.execute('SELECT p AS "p [point]" FROM p').description[0][0])
print(sqlite3.complete_statement("select 1;"), sqlite3.complete_statement("select 1"), sqlite3.paramstyle, sqlite3.apilevel)
t(lambda: con.executemany("SELECT ?", [(1,)]))
t(lambda: cur.execute("INSERT INTO a VALUES (?)", ([1],)).rowcount)
def gen():
    for i in range(3):
        yield (i,)
cur = con.cursor()
cur.executemany("INSERT INTO a VALUES (?)", gen())
print(cur.rowcount, con.execute("SELECT sum(x) FROM a").fetchone())
con.rollback()
print(con.execute("SELECT sum(x) FROM a").fetchone())
cur.close()
t(lambda: cur.execute("SELECT 1"))
from contextlib import closing
with closing(sqlite3.connect(":memory:")) as c5:
    with c5:
        c5.execute("CREATE TABLE z (a)")
        c5.executemany("INSERT INTO z VALUES (:v)", [{"v": 1}, {"v": 2}])
    print(c5.execute("SELECT a FROM z").fetchall())
print(con.execute("SELECT json_extract('{\"a\": 5}', '$.a')").fetchone())
