import io
import sys
import re
import unittest
import warnings
import logging
import time


def told(act):
    try:
        act()
        print("fine")
    except AssertionError as e:
        print(f"[{e}]")
    except Exception as e:
        print(type(e).__name__, e)


class Asserts(unittest.TestCase):
    def runTest(self):
        pass


class Own:
    def __init__(self, n):
        self.n = n

    def __eq__(self, o):
        return self.n == o.n

    def __hash__(self):
        return 1

    def __repr__(self):
        return f"Own({self.n})"


def texts():
    t = Asserts()
    long = list(range(60))
    told(lambda: t.assertEqual(1, 2))
    told(lambda: t.assertEqual("a", 2))
    told(lambda: t.assertEqual(1.5, 2.5, "msg"))
    told(lambda: t.assertEqual([1, 2], [1, 2, 3]))
    told(lambda: t.assertEqual([1, 2, 3], [1]))
    told(lambda: t.assertEqual([], [1]))
    told(lambda: t.assertEqual((1, 2), (1, 3)))
    told(lambda: t.assertEqual([1], (1,)))
    told(lambda: t.assertEqual({1, 2}, {2, 3}))
    told(lambda: t.assertEqual({1, 2}, {1}))
    told(lambda: t.assertEqual({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 3]}))
    told(lambda: t.assertEqual("abc", "abd"))
    told(lambda: t.assertEqual("a\nb\nc\n", "a\nx\nc\n"))
    told(lambda: t.assertEqual(long, long + [1]))
    told(lambda: t.assertEqual("x" * 100 + "a", "x" * 100 + "b"))
    told(lambda: t.assertEqual(Own(1), Own(2)))
    told(lambda: t.assertEqual(Own(1), Own(1)))
    told(lambda: t.assertNotEqual(1, 1))
    told(lambda: t.assertTrue(0))
    told(lambda: t.assertTrue([], "empty"))
    told(lambda: t.assertFalse([1]))
    told(lambda: t.assertIs(1, 2))
    told(lambda: t.assertIsNot(None, None))
    told(lambda: t.assertIsNone(3))
    told(lambda: t.assertIsNotNone(None))
    told(lambda: t.assertIn(1, [2, 3]))
    told(lambda: t.assertIn("z", "abc"))
    told(lambda: t.assertNotIn(1, [1]))
    told(lambda: t.assertIsInstance(1, str))
    told(lambda: t.assertIsInstance(1, (str, list)))
    told(lambda: t.assertNotIsInstance(1, int))
    told(lambda: t.assertGreater(1, 2))
    told(lambda: t.assertGreaterEqual(1, 2))
    told(lambda: t.assertLess(2, 1))
    told(lambda: t.assertLessEqual(2, 1))
    told(lambda: t.assertAlmostEqual(1.5, 1.6))
    told(lambda: t.assertAlmostEqual(1.0, 1.00000001))
    told(lambda: t.assertAlmostEqual(1, 2, places=1))
    told(lambda: t.assertAlmostEqual(1, 2, delta=0.5))
    told(lambda: t.assertAlmostEqual(1, 1.2, delta=0.5))
    told(lambda: t.assertNotAlmostEqual(1.5, 1.5))
    told(lambda: t.assertNotAlmostEqual(1.25, 1.26, delta=0.5))
    told(lambda: t.assertAlmostEqual(1, 2, places=1, delta=2))
    told(lambda: t.assertCountEqual([1, 2, 2], [2, 1, 1]))
    told(lambda: t.assertCountEqual([1, 2], [2, 1]))
    told(lambda: t.assertRegex("hello", r"x+"))
    told(lambda: t.assertRegex("hello", re.compile("l+")))
    told(lambda: t.assertNotRegex("hello", r"l+"))
    told(lambda: t.assertListEqual([1], (1,)))
    told(lambda: t.assertDictEqual({}, []))
    told(lambda: t.assertTupleEqual((1,), (1, 2)))
    told(lambda: t.assertSetEqual({1}, {1}))
    told(lambda: t.assertSequenceEqual([1, 2], (1, 2)))
    told(lambda: t.assertSequenceEqual([1, 2], (1, 3)))
    told(lambda: t.assertMultiLineEqual("a", "b"))
    told(lambda: t.fail())
    told(lambda: t.fail("because"))
    told(lambda: t.assertRaises(ValueError, int, "3"))
    told(lambda: t.assertRaises(ValueError, int, "x"))
    told(lambda: t.assertRaises(KeyError, int, "x"))
    told(lambda: t.assertRaisesRegex(ValueError, "zzz", int, "x"))
    told(lambda: t.assertRaises((KeyError, ValueError), lambda: None))
    told(lambda: t.assertRaises(3, int))
    told(lambda: t.skipTest("later"))

    def ctx(err, act, **kw):
        with t.assertRaises(err, **kw) as cm:
            act()
        print(repr(cm.exception), cm.expected)
    told(lambda: ctx(ValueError, lambda: int("x")))
    told(lambda: ctx(ValueError, lambda: 1))
    told(lambda: ctx(ValueError, lambda: 1, msg="note"))
    told(lambda: ctx(ValueError, lambda: {}["k"]))

    def warned(act, cls=DeprecationWarning):
        with t.assertWarns(cls) as cm:
            act()
        print(cm.warning, cm.filename.endswith("nothing"))
    told(lambda: warned(lambda: warnings.warn("old", DeprecationWarning)))
    told(lambda: warned(lambda: None))
    told(lambda: t.assertWarnsRegex(UserWarning, "abc", warnings.warn, "xabcx"))
    told(lambda: t.assertWarnsRegex(UserWarning, "abc", warnings.warn, "zzz"))

    def logged(act, *a, **k):
        with t.assertLogs(*a, **k) as cm:
            act()
        print(cm.output, [r.levelname for r in cm.records])
    told(lambda: logged(lambda: logging.getLogger("app").warning("w %s", 1)))
    told(lambda: logged(lambda: logging.getLogger("app").info("i"), "app", level="INFO"))
    told(lambda: logged(lambda: None, "app"))
    t.longMessage = False
    told(lambda: t.assertEqual(1, 2, "only this"))
    t.maxDiff = 10
    told(lambda: t.assertEqual([1, 2, 3], [1, 2, 4]))
    print(t, repr(t), t.id(), t.shortDescription(), t.countTestCases())


ORDER = []


class Base(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ORDER.append("up " + cls.__name__)

    @classmethod
    def tearDownClass(cls):
        ORDER.append("down " + cls.__name__)

    def setUp(self):
        self.addCleanup(ORDER.append, "clean 1")
        self.addCleanup(lambda: ORDER.append("clean 2"))


class First(Base):
    def test_b(self):
        ORDER.append("b")

    def test_a(self):
        ORDER.append("a")

    def helper(self):
        pass


class Second(Base):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.value = 41

    def test_value(self):
        self.assertEqual(self.value, 42)

    @unittest.skipUnless(sys.platform == "nowhere", "wrong platform")
    def test_skip(self):
        pass

    @unittest.expectedFailure
    def test_known(self):
        self.assertTrue(False)

    def test_parts(self):
        for n in (1, 2, 3):
            with self.subTest("part", n=n):
                time.sleep(0)
                self.assertNotEqual(n % 2, 1)


class Mixin:
    def test_mixed(self):
        ORDER.append("mixed " + type(self).__name__)


class Third(Mixin, Base):
    pass


class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no database")

    def test_never(self):
        ORDER.append("never")


class Coro(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.v = 1

    async def test_it(self):
        self.assertEqual(self.v, 1)
        ORDER.append("coro")


class Counting(unittest.TextTestResult):
    def addSuccess(self, test):
        super().addSuccess(test)
        ORDER.append("counted " + test._testMethodName)


def shown(text):
    text = re.sub(r"in \d+\.\d+s", "in Xs", text)
    return re.sub(r'  File .*\n(    .*\n)*', "", text)


def runs():
    loader = unittest.TestLoader()
    print(loader.getTestCaseNames(First))
    for verbosity in (0, 1, 2):
        suite = unittest.TestSuite()
        for case in (First, Second, Third, Broken, Coro):
            suite.addTests(loader.loadTestsFromTestCase(case))
        print(suite.countTestCases())
        out = io.StringIO()
        result = unittest.TextTestRunner(stream=out, verbosity=verbosity).run(suite)
        print(shown(out.getvalue()))
        print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped), result.wasSuccessful())
        print(ORDER)
        ORDER.clear()
    print(result)
    print([str(test) for test, text in result.failures], [reason for test, reason in result.skipped])
    out = io.StringIO()
    unittest.TextTestRunner(stream=out, verbosity=2, resultclass=Counting).run(unittest.TestSuite([First("test_a"), First("test_b")]))
    print(shown(out.getvalue()), ORDER)
    try:
        First("test_zz")
    except ValueError as e:
        print(e)


if __name__ == "__main__":
    texts()
    runs()
    quiet = unittest.TextTestRunner(stream=io.StringIO())
    program = unittest.main(argv=["x", "Second.test_value"], exit=False, testRunner=quiet)
    print(program.result)
    unittest.main(argv=["x", "First"], testRunner=quiet)
