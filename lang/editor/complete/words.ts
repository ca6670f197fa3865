/** Words that completion offers besides names: of the language, by where they may stand, and of markup. */

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Begin declarations of a module, the usual first. */
export const moduleWords: readonly string[] = list(
  'def node walker import with obj glob edge enum test impl sem class can async cl sv from include type static',
);
/** Begin members of an archetype. */
export const memberWords: readonly string[] = list('has can def static async override impl class with enum obj');
/** Begin statements. */
export const statementWords: readonly string[] = list(
  `if for return report visit while try raise del disengage skip break continue match switch with glob import
   self here root visitor not await yield assert async global nonlocal has def can lambda super wait flow elif else except finally case`,
);
/** Begin operands. */
export const operandWords: readonly string[] = list(
  'self here root visitor not None True False lambda await super spawn props flow wait if for in yield def async',
);
/** Join or follow operands. */
export const joiningWords: readonly string[] = list(
  'and or in is if else for not as spawn with to by while from async del',
);
export const typeWords: readonly string[] = list(
  'str int float bool list dict None any set tuple bytes JsxElement type Root Node Edge Walker Self Callable Any object i32 f64',
);
export const accessWords: readonly string[] = list('pub priv protect');

/** Templates: `$1`, `${1:word}` and `$0` are where the cursor goes. */
export const snippets: Readonly<
  Record<'module' | 'member' | 'statement', readonly (readonly [name: string, body: string])[]>
> = {
  module: [
    ['node', 'node ${1:Name} {\n    has ${2:field}: ${3:str};\n}'],
    ['walker', 'walker ${1:Name} {\n    can ${2:start} with ${3:Root} entry {\n        $0\n    }\n}'],
    ['obj', 'obj ${1:Name} {\n    has ${2:field}: ${3:str};\n}'],
    ['def', 'def ${1:name}($2) -> ${3:None} {\n    $0\n}'],
    ['enum', 'enum ${1:Name} { ${2:FIRST} = "${3:first}" }'],
    ['test', 'test "${1:name}" {\n    $0\n}'],
    ['with entry', 'with entry {\n    $0\n}'],
    ['import from', 'import from ${1:module} { $0 }'],
  ],
  member: [
    ['has', 'has ${1:field}: ${2:str};'],
    ['can', 'can ${1:name} with ${2:Root} entry {\n    $0\n}'],
    ['def', 'def ${1:name}($2) -> ${3:None} {\n    $0\n}'],
  ],
  statement: [
    ['if', 'if ${1:condition} {\n    $0\n}'],
    ['for', 'for ${1:item} in ${2:items} {\n    $0\n}'],
    ['while', 'while ${1:condition} {\n    $0\n}'],
    ['try', 'try {\n    $0\n} except ${1:Exception} as ${2:error} {\n    \n}'],
    ['visit', 'visit [-->[?:${1:Node}]];'],
  ],
};

/** Members that are used most, the first ones first: the order of a list that nothing else orders. */
export const usualMembers: readonly string[] = list(
  `append get strip items lower split join keys values format startswith endswith replace upper sort pop add update extend remove
   index count insert find title shared name value id now today isoformat strftime timestamp sqrt floor ceil pi dumps loads reports spawn
   preventDefault target currentTarget key length map filter push log then json status ok text current setdefault clear discard copy
   reverse capitalize isdigit isalpha encode decode rstrip lstrip splitlines`,
);

/** Members of standard modules that programs use most, the first ones first. */
export const usualOfModules: Readonly<Record<string, readonly string[]>> = {
  asyncio: list('sleep gather run create_task wait_for Event Lock Queue Semaphore'),
  base64: list('b64encode b64decode urlsafe_b64encode urlsafe_b64decode'),
  bisect: list('bisect_left bisect_right insort bisect'),
  calendar: list('monthrange month_name isleap day_name monthcalendar'),
  collections: list('defaultdict Counter deque OrderedDict namedtuple'),
  contextlib: list('contextmanager suppress closing'),
  copy: list('deepcopy copy'),
  csv: list('writer reader DictReader DictWriter QUOTE_MINIMAL QUOTE_ALL'),
  dataclasses: list('dataclass field asdict replace'),
  datetime: list('datetime timedelta date timezone time'),
  decimal: list('Decimal ROUND_HALF_UP getcontext'),
  enum: list('Enum IntEnum StrEnum Flag auto unique'),
  functools: list('reduce wraps partial lru_cache cache cached_property'),
  hashlib: list('sha256 md5 sha1 sha512 new pbkdf2_hmac'),
  heapq: list('heappush heappop heapify nlargest nsmallest heappushpop'),
  http: list('HTTPError HTTPMethod HTTPStatus'),
  io: list('StringIO BytesIO'),
  itertools: list('chain product groupby islice accumulate combinations permutations zip_longest'),
  json: list('dumps loads dump load'),
  logging: list('getLogger info warning error debug basicConfig INFO DEBUG'),
  math: list('floor ceil sqrt pi inf isclose log sin cos hypot pow gcd prod dist log2 log10 e nan isnan exp'),
  operator: list('itemgetter attrgetter add mul sub'),
  os: list('path environ getenv listdir makedirs'),
  'os.path': list('join exists basename dirname splitext isfile isdir abspath getsize'),
  pathlib: list('Path PurePath'),
  random: list('choice randint random shuffle sample uniform seed'),
  re: list('findall search match sub split compile fullmatch escape IGNORECASE'),
  requests: list('get post put delete patch Session request exceptions'),
  secrets: list('token_hex token_urlsafe choice randbelow compare_digest token_bytes'),
  statistics: list('mean median stdev mode pstdev variance fmean linear_regression quantiles correlation'),
  string: list('ascii_letters digits ascii_lowercase ascii_uppercase punctuation capwords Template'),
  sys: list('argv exit stdout stderr stdin version path platform maxsize'),
  textwrap: list('dedent fill wrap shorten indent'),
  time: list('time sleep monotonic perf_counter strftime'),
  typing: list('Any Optional Union Callable Iterable Iterator Literal TypeVar Protocol Generic TypedDict'),
  'urllib.parse': list('quote urlencode urlparse unquote urljoin parse_qs quote_plus urlsplit parse_qsl'),
  uuid: list('uuid4 UUID uuid5 uuid1'),
};

/** Methods of Python's types that programs use most, the first ones first. */
export const usualOfTypes: Readonly<Record<'list' | 'str' | 'dict' | 'bytes', readonly string[]>> = {
  list: list('append sort pop extend remove index insert reverse count clear copy'),
  str: list(
    `strip split lower join startswith replace upper endswith format title lstrip rstrip find isdigit splitlines capitalize
     encode count zfill isalpha index partition removeprefix removesuffix isalnum isspace`,
  ),
  dict: list('items get keys values pop update setdefault copy clear'),
  bytes: list('decode hex startswith endswith split strip join replace find'),
};

/** Members of lists and of texts that browser code uses most, where both spellings are understood. */
export const listsOfBrowser: readonly string[] = list(
  `map filter length push find some append join concat includes forEach slice sort reverse reduce every findIndex indexOf flatMap pop
   index at splice remove flat extend entries keys findLast shift unshift insert count fill toSorted clear copy`,
);
export const textsOfBrowser: readonly string[] = list(
  `trim length split upper lower strip replace includes toLowerCase slice startsWith join startswith toUpperCase title endsWith padStart
   indexOf format capitalize match substring endswith charAt replaceAll find splitlines at repeat localeCompare padEnd trimStart trimEnd
   zfill count lstrip rstrip isdigit`,
);

export const tags: readonly string[] = list(
  `div span p a button input form label ul li h1 h2 h3 section header main footer nav img table tr td th thead tbody select option
   textarea article aside h4 h5 h6 ol strong em small code pre br hr figure figcaption details summary dialog fieldset legend time
   svg path g circle rect line video audio source canvas iframe blockquote dl dt dd menu output progress meter datalist optgroup
   caption col colgroup tfoot i b u s sub sup kbd mark abbr cite q address picture track polyline polygon text title style link meta body html head`,
);
/** Attributes of all elements, then of some. */
export const attributes: readonly string[] = list(
  'className id key style ref title role tabIndex hidden draggable dangerouslySetInnerHTML lang dir spellCheck contentEditable',
);
export const tagAttributes: Readonly<Record<string, readonly string[]>> = {
  a: list('href target rel download'),
  button: list('type disabled name value form'),
  form: list('action method noValidate autoComplete'),
  img: list('src alt width height loading srcSet'),
  input: list(
    'type value placeholder name required disabled checked min max step maxLength minLength pattern autoComplete autoFocus readOnly list accept multiple defaultValue',
  ),
  label: list('htmlFor'),
  option: list('value disabled selected'),
  select: list('value name required disabled multiple defaultValue'),
  textarea: list('value placeholder name rows cols required disabled maxLength readOnly defaultValue autoFocus'),
  td: list('colSpan rowSpan'),
  th: list('colSpan rowSpan scope'),
  time: list('dateTime'),
  svg: list('viewBox width height fill stroke xmlns'),
  path: list('d fill stroke strokeWidth'),
  video: list('src controls autoPlay loop muted poster'),
  source: list('src type media'),
  script: list('src async defer type'),
  link: list('rel href'),
  meta: list('name content charSet'),
  iframe: list('src title width height allow'),
  ol: list('start reversed type'),
  details: list('open'),
  dialog: list('open'),
  progress: list('value max'),
};
export const ariaAttributes: readonly string[] = list(
  `aria-label aria-labelledby aria-describedby aria-hidden aria-live aria-current aria-expanded aria-pressed aria-selected aria-controls
   aria-invalid aria-busy aria-checked aria-disabled aria-haspopup aria-modal data-testid`,
);
export const events: readonly string[] = list(
  `onClick onChange onSubmit onInput onKeyDown onKeyUp onFocus onBlur onMouseEnter onMouseLeave onMouseDown onMouseUp onMouseMove
   onDragStart onDragOver onDrop onDragEnd onDragEnter onDragLeave onScroll onWheel onDoubleClick onContextMenu onPointerDown onPointerMove
   onPointerUp onTouchStart onTouchEnd onTouchMove onCopy onPaste onCut onLoad onError onAnimationEnd onTransitionEnd onReset onInvalid
   onPlay onPause onEnded onToggle`,
);
/** Names that `@svc/runtime` and `react` give. */
export const runtimeNames: readonly string[] = list(
  `live useAction Link svcLogin useNavigate useParams svcSignup svcLogout svcIsLoggedIn Outlet subscribe navigate SvcForm SvcSchema svcSpawn
   useSvcForm svcConnect NavLink useRouter Navigate Route Router Routes AuthGuard useLocation useSearchParams svcSetToken svcSsoLogin SvcAwaiting
   SvcClientErrorBoundary ErrorFallback CallError SpawnError useState useEffect useMemo useCallback useRef useContext createContext useReducer`,
);
/** Decorators. */
export const decorators: readonly string[] = list('restspec schedule staticmethod classmethod property dataclass');
/** Arguments of decorators. */
export const decoratorArguments: Readonly<Record<string, readonly string[]>> = {
  restspec: list('method path protocol broadcast envelope produces verify secret'),
  schedule: list('trigger cron hours minutes seconds days run_at'),
};
/** Options of a model that a function or an ability is delegated to. */
export const modelOptions: readonly string[] = list(
  'temperature max_tokens tools method system_prompt incl_info stream conversation max_react_iterations timeout retries',
);
/** Properties of styles, as code of a browser spells them, those used most first. */
export const styleProperties: readonly string[] = list(
  `color display padding margin background fontSize gap width height border borderRadius fontWeight flexDirection alignItems justifyContent
   marginTop marginBottom maxWidth backgroundColor position textAlign opacity cursor overflow flex minHeight top left right bottom zIndex
   paddingLeft marginLeft marginRight paddingTop paddingBottom paddingRight lineHeight textDecoration transform transition boxShadow minWidth
   maxHeight gridTemplateColumns flexWrap whiteSpace fontFamily fontStyle letterSpacing listStyle borderBottom borderTop borderLeft borderRight
   borderColor outline visibility userSelect pointerEvents objectFit overflowX overflowY textOverflow textTransform verticalAlign wordBreak
   boxSizing filter animation backgroundImage backgroundSize gridColumn gridRow gridTemplateRows placeItems alignSelf justifyItems flexGrow
   flexShrink flexBasis rowGap columnGap inset aspectRatio content clipPath accentColor`,
);
