/**
 * Names of modules that are not files: the standard ones (docs/language/standard-modules.md#modules), Node's own, and
 * CPython packages.
 */

const names = `sys time os os.path datetime json json.decoder json.encoder pathlib random asyncio math requests requests.exceptions urllib urllib.parse urllib.request
  urllib.error tempfile re typing typing_extensions collections collections.abc uuid subprocess logging logging.config logging.handlers io traceback threading queue http
  hashlib hmac secrets base64 statistics argparse contextlib types copy string textwrap functools itertools operator heapq bisect
  shutil enum dataclasses abc decimal fractions csv html html.entities html.parser inspect warnings unittest unittest.mock platform getpass zlib pprint
  struct socket ast atexit gc posixpath stat builtins glob fnmatch dotenv array binascii calendar codecs concurrent concurrent.futures configparser contextvars difflib errno graphlib importlib importlib.metadata importlib.util gzip ipaddress keyword locale mimetypes numbers shlex sqlite3 timeit tomllib unicodedata weakref zipfile zoneinfo byllm byllm.lib byllm.types byllm.llm byllm.exceptions byllm.parallel mtllm mtllm.lib mtllm.types mtllm.llm mtllm.llms svc_scale svc_scale.lib svclang`;

/** Modules that CPython has and this runtime provides; what they hold is the runtime's table. */
export const standardModules: ReadonlySet<string> = new Set(names.trim().split(/\s+/));

/** Spellings that mean another standard module (docs/language/older-programs.md#renamed-names). */
const aliases: ReadonlyMap<string, string> = new Map([
  ['svclang.scale.persistence.lib', 'svc_scale.lib'],
  ['svclang.scale.lib', 'svc_scale.lib'],
  ['svclang.byllm', 'byllm'],
  ['svclang.byllm.lib', 'byllm.lib'],
  ['svclang.byllm.types', 'byllm.types'],
  ['svclang.byllm.llm', 'byllm.llm'],
  ['svclang.byllm.exceptions', 'byllm.exceptions'],
  ['svclang.core.llms', 'mtllm.llms'],
  ['mtllm.llms.base', 'mtllm.llms'],
]);

/** Canonical name of the standard module called `name`, or undefined when there is none. */
export function standardModule(name: string): string | undefined {
  const alias = aliases.get(name);
  if (alias !== undefined) return alias;
  if (standardModules.has(name)) return name;
  return name.startsWith('svclang.') ? name : undefined;
}

const nodeNames = `assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs
  fs/promises http2 https inspector module net os path path/posix path/win32 perf_hooks process punycode querystring readline repl
  stream stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm
  wasi worker_threads zlib http`;

const nodeModules: ReadonlySet<string> = new Set(nodeNames.trim().split(/\s+/));

/** Is this the specifier of one of Node's own modules? */
export function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || nodeModules.has(specifier);
}

/** CPython packages that programs ask for and that cannot exist here (E0902), with the documented replacement. */
const cpythonPackages: ReadonlyMap<string, string> = new Map([
  ['streamlit', 'write the interface as client components'],
  ['aiohttp', 'use `requests`, or `fetch` of an npm package'],
  ['sklearn', 'call a model service, or use an npm package by its quoted name'],
  ['numpy', 'use lists and the `math` and `statistics` modules'],
  ['pygame', 'draw on the client with markup and a canvas'],
  ['fastapi', 'walkers and `def:pub` functions are served without it; `UploadFile` is imported from `http`'],
  ['flask', 'walkers and `def:pub` functions are served without it'],
  ['django', 'walkers and `def:pub` functions are served without it'],
  ['uvicorn', '`svc start` serves the program'],
  ['pydantic', 'declare an `obj` with typed fields'],
  ['pandas', 'use lists of dictionaries and the `csv` module'],
  ['httpx', 'use `requests`'],
  ['PIL', 'use an npm package such as "sharp" by its quoted name'],
  ['rich', 'use `print`'],
  ['openai', 'use `by llm()` with `byllm`'],
  ['anthropic', 'use `by llm()` with `byllm`'],
  ['wikipedia', 'use `requests` with the HTTP interface'],
  ['tavily', 'use `requests` with the HTTP interface'],
  ['serpapi', 'use `requests` with the HTTP interface'],
  ['multiprocessing', 'there is one process per program; use `flow` or `asyncio`'],
  ['ctypes', 'native code cannot be called'],
  ['torch', 'call a model service'],
  ['tensorflow', 'call a model service'],
  ['transformers', 'call a model service, or use `byllm`'],
  ['matplotlib', 'draw on the client with markup'],
  ['scipy', 'use an npm package by its quoted name'],
  ['cv2', 'use an npm package by its quoted name'],
  ['selenium', 'use an npm package such as "playwright" by its quoted name'],
  ['bs4', 'use an npm package such as "cheerio" by its quoted name'],
  ['yaml', 'use an npm package such as "yaml" by its quoted name'],
  ['pytest', 'write `test` blocks'],
  ['sqlalchemy', 'nodes are stored without it'],
  ['pymongo', 'use `kvstore` of `svc_scale.lib`'],
  ['redis', 'use `kvstore` of `svc_scale.lib`'],
  ['boto3', 'use an npm package by its quoted name'],
  ['tkinter', 'write the interface as client components'],
  ['langchain', 'use `by llm()` with `byllm`'],
  ['litellm', 'use `by llm()` with `byllm`'],
  ['ollama', 'use `by llm()` with `byllm`'],
  ['keras', 'call a model service'],
  ['jax', 'call a model service'],
  ['spacy', 'call a model service, or use an npm package by its quoted name'],
  ['nltk', 'use `re` and the methods of `str`, or an npm package such as "natural" by its quoted name'],
  ['networkx', 'use nodes and edges'],
  ['seaborn', 'draw on the client with markup'],
  ['plotly', 'draw on the client with markup'],
  ['starlette', 'walkers and `def:pub` functions are served without it'],
  ['tornado', 'walkers and `def:pub` functions are served without it'],
  ['gunicorn', '`svc start` serves the program'],
  ['websockets', 'declare a walker with `restspec(protocol=APIProtocol.WEBSOCKET)`'],
  ['celery', 'use `flow` or `asyncio.create_task`'],
  ['psycopg2', 'nodes are stored without it; for other data use an npm package such as "pg" by its quoted name'],
  ['asyncpg', 'nodes are stored without it; for other data use an npm package such as "pg" by its quoted name'],
  ['mysql', 'nodes are stored without it; for other data use an npm package such as "mysql2" by its quoted name'],
  ['jwt', 'sign-in is built in; for other tokens use an npm package such as "jose" by its quoted name'],
  ['bcrypt', 'accounts are built in; else use `hashlib.scrypt`'],
  ['cryptography', 'use `hashlib`, `hmac` and `secrets`, or `import from "node:crypto"`'],
  ['jinja2', 'use f-strings or markup'],
  ['dateutil', 'use `datetime`'],
  ['pytz', 'use `zoneinfo`'],
  ['click', 'use `argparse`'],
  ['typer', 'use `argparse`'],
  ['tqdm', 'use `print`'],
  ['attr', 'declare an `obj` with typed fields'],
  ['orjson', 'use `json`'],
  ['ujson', 'use `json`'],
  ['toml', 'use an npm package such as "smol-toml" by its quoted name'],
  ['lxml', 'use an npm package such as "fast-xml-parser" by its quoted name'],
  ['playwright', 'use an npm package such as "playwright" by its quoted name'],
  // Standard modules of CPython.
  ['http.client', 'use `requests` or `urllib.request`'],
  ['http.server', 'walkers and `def:pub` functions are served without it'],
  ['http.cookies', 'sign-in is built in'],
  ['http.cookiejar', '`requests.Session` keeps cookies'],
  ['pickle', 'nodes are stored without it; else use `json`'],
  ['shelve', 'nodes are stored without it'],
  ['marshal', 'use `json`'],
  ['optparse', 'use `argparse`'],
  ['importlib.resources', 'read the file with `open` and a path beside `__file__`'],
  ['smtplib', 'use an npm package such as "nodemailer" by its quoted name'],
  ['email', 'use an npm package such as "nodemailer" by its quoted name'],
  ['xml', 'use an npm package such as "fast-xml-parser" by its quoted name'],
  ['socketserver', 'walkers and `def:pub` functions are served without it'],
  ['wsgiref', 'walkers and `def:pub` functions are served without it'],
  ['webbrowser', 'write the interface as client components'],
  ['curses', 'write the interface as client components'],
  ['turtle', 'draw on the client with markup and a canvas'],
  ['bz2', 'use `zlib`'],
  ['lzma', 'use `zlib`'],
  ['cmath', 'use `math` and pairs of floats'],
  ['dbm', 'nodes are stored without it; for other data use `kvstore` of `svc_scale.lib`'],
  ['dis', 'there is no bytecode; the code of a function is compiled to JavaScript'],
  ['linecache', 'use `open` and `readlines`'],
  ['filecmp', 'compare what `pathlib.Path.read_bytes` gives'],
  ['select', 'use `asyncio`'],
  ['selectors', 'use `asyncio`'],
  ['signal', 'the server ends its work when it is told to; use `try` and `finally`'],
  ['ssl', '`requests` and `urllib.request` check certificates'],
  ['syslog', 'use `logging`'],
  ['tarfile', 'use `shutil.make_archive` and `shutil.unpack_archive`'],
  ['telnetlib', 'use `import from "node:net"`'],
  ['ftplib', 'use an npm package such as "basic-ftp" by its quoted name'],
  ['imaplib', 'use an npm package such as "imapflow" by its quoted name'],
  ['poplib', 'use an npm package such as "imapflow" by its quoted name'],
  ['mailbox', 'use an npm package such as "mailparser" by its quoted name'],
  ['tracemalloc', 'use `import from "node:v8"`'],
  ['resource', 'use `import from "node:process"`'],
  ['pdb', 'run the program with `svc run` and `print`'],
  ['cProfile', 'use the profiler of Node'],
  ['readline', 'use `input`'],
  ['cmd', 'use `input` and `argparse`'],
  ['code', 'source text is not run at run time'],
  ['pwd', 'use `getpass.getuser`'],
  ['plistlib', 'use `json`'],
  ['xmlrpc', 'use `requests` with JSON'],
  ['ntpath', 'use `os.path`'],
  ['stringprep', 'use `unicodedata.normalize`'],
]);

const otherStandard = `audioop bz2 cmath ctypes curses dbm dis email importlib
  chunk cmd code codeop cProfile encodings ensurepip faulthandler fcntl filecmp fileinput ftplib grp idlelib imaplib imghdr lib2to3 linecache
  lzma mailbox mailcap marshal mmap modulefinder msvcrt netrc nntplib ntpath optparse pdb pickle pickletools pipes pkgutil plistlib poplib posix profile pstats pty pwd py_compile pyclbr
  pydoc quopri readline resource rlcompleter runpy select selectors shelve signal site smtpd smtplib sndhdr socketserver spwd ssl
  stringprep symtable sysconfig syslog tabnanny tarfile telnetlib termios tkinter token tokenize trace tracemalloc tty
  turtle uu venv wave webbrowser winreg winsound wsgiref xml xmlrpc zipapp zipimport aifc
  antigravity asynchat asyncore bdb cgi cgitb compileall crypt distutils doctest imp msilib nis ossaudiodev pyexpat sunau turtledemo xdrlib`;

const otherModules: ReadonlySet<string> = new Set(otherStandard.split(/\s+/));

/**
 * Gives the advice for a package or module that only CPython has ('' when there is none). Undefined for any other name.
 */
export function cpythonReplacement(name: string): string | undefined {
  const first = name.split('.', 1)[0] ?? name;
  return cpythonPackages.get(name) ?? cpythonPackages.get(first) ?? (otherModules.has(first) ? '' : undefined);
}
