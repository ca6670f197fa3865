/**
 * The table of functions of standard modules, for the compiler: only what has a known result, calls what it is given, or may wait is listed.
 * Signatures are written as in `builtins.ts`.
 */
export const modules = {
  /** `module: name name … -> result` for functions and constants. */
  results: `
math: sqrt exp exp2 expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh degrees radians hypot fabs fmod fsum dist copysign cbrt erf erfc gamma lgamma ldexp nextafter remainder ulp pi e tau inf nan -> float
math: modf -> tuple[float,float]
math: frexp -> tuple[float,int]
math: floor ceil trunc factorial gcd lcm comb perm isqrt -> int
math: isnan isinf isfinite isclose -> bool
time: time perf_counter monotonic process_time mktime -> float
time: time_ns perf_counter_ns monotonic_ns -> int
time: strftime ctime asctime -> str
random: random uniform gauss normalvariate expovariate triangular betavariate -> float
random: randint randrange getrandbits -> int
statistics: fmean stdev pstdev geometric_mean harmonic_mean -> float
statistics: mean median median_low median_high variance pvariance mode -> floats
statistics: quantiles -> list[float]
os: getcwd sep linesep name -> str
os: listdir -> list[str]
os: getpid cpu_count system -> int
os.path: join dirname basename abspath expanduser normpath realpath -> str
os.path: exists isfile isdir isabs -> bool
os.path: getsize -> int
os.path: getmtime getctime getatime -> float
json: dumps -> str
base64: b64encode b64decode urlsafe_b64encode urlsafe_b64decode -> bytes
secrets: token_hex token_urlsafe -> str
secrets: randbelow -> int
sys: platform version executable -> str
sys: maxsize -> int
textwrap: dedent indent fill shorten -> str
html: escape unescape -> str
shlex: quote join -> str
shlex: split -> list[str]
calendar: isleap -> bool
calendar: weekday timegm leapdays firstweekday -> int
calendar: month calendar weekheader -> str
timeit: timeit default_timer -> float
binascii: hexlify unhexlify -> bytes
unicodedata: normalize category -> str
urllib.parse: quote unquote quote_plus unquote_plus urlencode urljoin -> str
platform: system release version machine node python_version -> str
getpass: getuser -> str
itertools: count -> iter[any]
`,

  /** Functions that call what they are given, with their parameters. */
  callbacks: `
functools.reduce(&function, iterable, initial=None, /) -> any
heapq.merge(*iterables, &key=None, reverse=False) -> iter[any]
heapq.nlargest(n, iterable, &key=None) -> list[any]
heapq.nsmallest(n, iterable, &key=None) -> list[any]
bisect.bisect(a, x, lo=0, hi=None, *, &key=None) -> int
bisect.bisect_left(a, x, lo=0, hi=None, *, &key=None) -> int
bisect.bisect_right(a, x, lo=0, hi=None, *, &key=None) -> int
bisect.insort(a, x, lo=0, hi=None, *, &key=None) -> none
bisect.insort_left(a, x, lo=0, hi=None, *, &key=None) -> none
bisect.insort_right(a, x, lo=0, hi=None, *, &key=None) -> none
re.sub(pattern, &repl, string, count=0, flags=0) -> str
re.subn(pattern, &repl, string, count=0, flags=0) -> any
json.dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, &cls=None, indent=None, separators=None, &default=None, sort_keys=False) -> str
json.dump(obj, fp, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, &cls=None, indent=None, separators=None, &default=None, sort_keys=False) -> none
json.loads(s, *, &cls=None, &object_hook=None, &parse_float=None, &parse_int=None, &parse_constant=None, &object_pairs_hook=None, strict=True) -> any
json.load(fp, *, &cls=None, &object_hook=None, &parse_float=None, &parse_int=None, &parse_constant=None, &object_pairs_hook=None, strict=True) -> any
itertools.accumulate(iterable, &func=None, *, initial=None) -> any
itertools.dropwhile(&predicate, iterable, /) -> any
itertools.filterfalse(&function, iterable, /) -> any
itertools.groupby(iterable, &key=None) -> any
itertools.starmap(&function, iterable, /) -> any
itertools.takewhile(&predicate, iterable, /) -> any
`,

  /** `module: name name …` for functions that wait. */
  waiting: `
time: sleep
requests: get post put patch delete head options request
urllib.request: urlopen urlretrieve
subprocess: run call check_call check_output getoutput getstatusoutput
asyncio: run
concurrent.futures: as_completed wait
getpass: getpass
unittest: main
svclang.runtimelib.browser: open_page
`,

  /** Methods that wait, by name, of objects that those modules (or the ambient name, after `ambient`) give. */
  waitingMethods: `
requests: get post put patch delete head options request send
urllib.request: open
subprocess: communicate wait read readline readlines __iter__ __exit__
asyncio: run_until_complete run run_forever
threading: join wait wait_for acquire
queue: get put join
unittest: assertRaises assertRaisesRegex assertWarns assertWarnsRegex run debug doCleanups
concurrent.futures: result exception map shutdown __exit__
ambient.store: upload download delete exists list_files get_metadata copy move
svc_scale.lib: get set delete exists find_one find insert_one insert_many update_one update_many delete_one delete_many find_by_id update_by_id delete_by_id count_documents create_index set_with_ttl set_nx_with_ttl delete_if_equals expire incr scan_keys
svclang.runtimelib.browser: goto reload back click hover fill check uncheck select upload drag press text value is_checked count expect expect_gone expect_path title set_size evaluate screenshot accessibility_problems close
svclang.runtimelib.testing: get post put patch delete request register_user login spawn call close
`,
} as const;
