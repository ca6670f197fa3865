import random
def tell(r):
    print([r.random() for _ in range(3)], r.randint(1, 6), r.randrange(10), r.randrange(5, 50, 7), r.randint(-10**20, 10**20), r.getrandbits(70), r.getrandbits(5), r.randbytes(5))
    print(r.choice("abcdef"), r.choices([1, 2, 3], k=5), r.choices("xyz", weights=[5, 1, 2], k=6), r.sample(range(100), 8), r.sample(range(10**6), 4), r.sample(["r", "g"], counts=[3, 2], k=4))
    xs = list(range(12))
    r.shuffle(xs)
    print(xs, r.uniform(1, 9), r.triangular(1, 4, 2), r.triangular(), r.gauss(0, 1), r.gauss(10, 2), r.gauss(0, 1), r.normalvariate(5, 2))
    print(r.expovariate(0.5), r.betavariate(2, 3), r.gammavariate(0.5, 2), r.gammavariate(1, 2), r.gammavariate(3.5, 1), r.lognormvariate(0, 0.5), r.paretovariate(3), r.weibullvariate(1, 1.5), r.vonmisesvariate(0, 4), r.vonmisesvariate(1, 0))
for seed in (42, 0, -7, 2**70 + 5, "hello", "", b"bytes", 2.5, 3.0, 1e300, True):
    tell(random.Random(seed))
random.seed(1)
print(random.random(), random.randint(1, 100))
state = random.getstate()
a = [random.random() for _ in range(5)]
random.setstate(state)
print(a == [random.random() for _ in range(5)], state[0], len(state[1]), state[2])
try:
    random.Random([1])
except TypeError as e:
    print(e)
class Mine(random.Random):
    def random(self):
        return 0.25
print(Mine().randint(1, 8), Mine().choice("abcd"), Mine(3).uniform(0, 2))
s = random.SystemRandom()
print(0 <= s.random() < 1, 1 <= s.randint(1, 6) <= 6, isinstance(s, random.Random))
try:
    s.getstate()
except NotImplementedError as e:
    print(e)
import secrets
print(isinstance(secrets.SystemRandom(), random.SystemRandom), len(secrets.token_hex(4)))
