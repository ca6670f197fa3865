/**
 * Kinds of values that inference knows no type of: of browsers, of classes of the standard library and of packages that programs use most.
 * Editors alone read them, as guesses: no rule and no generated code depends on what is here.
 */

/** Name of the kind that a member, or a call of it, gives; with `[]` a list of it, with `!` a promise of it. */
export type Given = string;

export interface Kind {
  /** Members, those used most first. */
  readonly members: ReadonlyMap<string, { readonly isMethod: boolean; readonly gives: Given | undefined }>;
  readonly base: string | undefined;
}

/** `Kind: member member:Kind member() member():Kind …`; `Kind < Base: …` has those of the base behind its own; `new Kind`: members of the class itself. */
const table = `
Event: preventDefault() target:Element currentTarget:Element key:text stopPropagation() dataTransfer:DataTransfer clientX clientY code type detail nativeEvent:Event
KeyboardEvent: key:text preventDefault() ctrlKey metaKey shiftKey code altKey target:Element stopPropagation() currentTarget:Element repeat
MouseEvent: preventDefault() clientX clientY target:Element stopPropagation() currentTarget:Element button shiftKey ctrlKey metaKey pageX pageY
PointerEvent: clientX clientY preventDefault() pointerId target:Element currentTarget:Element stopPropagation() buttons pressure pointerType movementX movementY
DragEvent: preventDefault() dataTransfer:DataTransfer target:Element stopPropagation() currentTarget:Element clientX clientY
ClipboardEvent: clipboardData:DataTransfer preventDefault() target:Element
TouchEvent: touches:MouseEvent[] changedTouches:MouseEvent[] preventDefault() target:Element stopPropagation() targetTouches:MouseEvent[]
WheelEvent: deltaY preventDefault() deltaX clientX clientY ctrlKey target:Element
SubmitEvent: preventDefault() target:Element currentTarget:Element submitter:Element stopPropagation()
MessageEvent: data origin source lastEventId ports type target
CloseEvent: code reason wasClean
CustomEvent: detail target:Element type preventDefault()
StorageEvent: key newValue oldValue storageArea:Storage url
ProgressEvent: loaded total lengthComputable target
DataTransfer: getData():text setData() files:File[] effectAllowed dropEffect items types setDragImage()
Element: value:text focus() checked files:File[] textContent:text classList:ClassList style:Style dataset scrollIntoView() getBoundingClientRect():Rect click() blur() select() id:text name:text innerHTML:text addEventListener() querySelector():Element append() remove() setAttribute() getAttribute():text scrollTop scrollHeight innerText:text selectionStart selectionEnd valueAsNumber selectedOptions:Element[] setSelectionRange() href:text download play() pause() showModal() close() reset() getContext():Canvas width height parentElement:Element children:Element[] closest():Element contains() appendChild() querySelectorAll():Element[] removeEventListener() offsetWidth offsetHeight scrollTo() elements currentTime clientWidth clientHeight src:text title:text disabled tagName className:text options:Element[] toDataURL() checkValidity() requestFullscreen() matches() setPointerCapture() firstChild:Element nextElementSibling:Element dispatchEvent() duration scrollWidth
Element.canvas < Element: getContext():Canvas width height toDataURL():text toBlob()
Element.a < Element: href:text download click() target rel
Element.dialog < Element: showModal() close() open show() returnValue
Element.video < Element: play() pause() currentTime duration volume muted paused src
Element.select < Element: value:text selectedOptions:Element[] options:Element[] selectedIndex
Element.input < Element: value:text focus() checked files:File[] select() valueAsNumber name:text selectionStart selectionEnd setSelectionRange() blur() type
Element.textarea < Element: value:text focus() selectionStart selectionEnd setSelectionRange() select() scrollHeight style:Style
Element.form < Element: reset() elements:Elements submit() checkValidity() requestSubmit()
Element.made < Element: innerHTML:text textContent:text className:text append() classList:ClassList style:Style setAttribute() appendChild() dataset id:text
Element.html < Element: lang:text classList:ClassList dataset style:Style dir scrollTop setAttribute() getAttribute():text scrollHeight clientWidth
Element.body < Element: classList:ClassList append() appendChild() style:Style dataset innerHTML:text textContent:text removeChild() scrollHeight
Element.found < Element: textContent:text value:text getAttribute():text click() checked innerHTML:text className:text classList:ClassList disabled querySelector():Element focus()
Elements: namedItem():Element length
ClassList: add() remove() toggle() contains() replace()
Style: setProperty() display color width height transform background opacity top left cssText
Rect: width height top left x y bottom right
Canvas: fillRect() fillStyle beginPath() clearRect() strokeStyle stroke() fill() moveTo() lineTo() arc() fillText() drawImage() lineWidth save() restore() translate() scale() closePath() font strokeRect() rotate() textAlign measureText()
Document: getElementById():Element querySelector():Element addEventListener() removeEventListener() body:Element.body title createElement():Element documentElement:Element.html querySelectorAll():Element[] cookie activeElement:Element head:Element hidden visibilityState execCommand() dispatchEvent() createTextNode()
Window: location:Location addEventListener() removeEventListener() localStorage:Storage innerWidth scrollTo() matchMedia():MediaQueryList innerHeight history:History open() alert() confirm():bool setTimeout() document:Document scrollY sessionStorage:Storage navigator:Navigator dispatchEvent() getSelection() requestAnimationFrame() clearTimeout() setInterval() clearInterval() print() prompt() close() focus() postMessage() devicePixelRatio fetch():Response! console:Console crypto:Crypto
MediaQueryList: matches addEventListener() removeEventListener() media
Location: pathname:text search:text hash:text href:text reload() origin:text host:text assign() replace() hostname:text protocol:text port
RouterLocation: pathname:text search:text hash:text state:RouterState key:text
RouterState: from:RouterLocation
NavState: isActive isPending
Router: location:RouterLocation navigate() push() path pathname search hash params query
History: pushState() replaceState() back() go() forward() state length
Navigator: clipboard:Clipboard onLine userAgent language geolocation:Geolocation share() serviceWorker languages mediaDevices:MediaDevices vibrate() sendBeacon() platform
Clipboard: writeText() readText():text! write() read()
Geolocation: getCurrentPosition() watchPosition() clearWatch()
MediaDevices: getUserMedia() enumerateDevices()
Storage: getItem():text setItem() removeItem() clear() key() length
Console: log() error() warn() info() debug() table() time() timeEnd() group() groupEnd() trace()
Response: json():any! ok status text():text! headers:Headers body:Stream blob():Blob! statusText url arrayBuffer() formData():FormData! clone():Response
Headers: get():text set() has() append() delete() entries() forEach()
Stream: getReader():StreamReader pipeTo() pipeThrough():Stream cancel() locked
StreamReader: read():Chunk! cancel() releaseLock() closed
Chunk: done value
FormData: append() get() set() entries() getAll() has() delete() forEach()
File: name size type text():text! lastModified arrayBuffer() slice() stream():Stream
Blob: size type text():text! arrayBuffer() slice() stream():Stream
FileReader: readAsDataURL() onload result readAsText() onerror readAsArrayBuffer() error abort()
WebSocket: send() close() onmessage onopen onclose onerror readyState addEventListener() binaryType
EventSource: onmessage close() addEventListener() onerror onopen readyState
Worker: postMessage() onmessage terminate() onerror addEventListener()
BroadcastChannel: postMessage() onmessage close() addEventListener() name
EventTarget: addEventListener() dispatchEvent() removeEventListener()
AbortController: signal:AbortSignal abort()
AbortSignal: aborted addEventListener() reason
IntersectionObserver: observe() disconnect() unobserve() takeRecords()
ResizeObserver: observe() disconnect() unobserve()
MutationObserver: observe() disconnect() takeRecords()
IntersectionEntry: isIntersecting target:Element intersectionRatio boundingClientRect:Rect time
ResizeEntry: contentRect:Rect target:Element contentBoxSize borderBoxSize
MutationRecord: addedNodes removedNodes target:Element type attributeName
URL: searchParams:URLSearchParams pathname:text href:text search:text hash:text host:text origin:text hostname:text protocol:text toString():text port
new URL: createObjectURL():text revokeObjectURL() canParse() parse():URL
URLSearchParams: get():text set() toString():text append() has() delete() getAll() entries() forEach() size keys() values()
Date: toISOString():text getTime() toLocaleDateString():text getFullYear() getMonth() getDate() getDay() toLocaleTimeString():text getHours() getMinutes() toLocaleString():text setDate() getSeconds() setMonth() setHours() toDateString() valueOf() getMilliseconds() getTimezoneOffset() toJSON() setFullYear() setMinutes()
new Date: now() parse() UTC() new():Date
Map: get() set() has() size delete() entries() values() keys() forEach() clear()
WeakMap: get() set() has() delete()
Set: has() add() delete() size forEach() values() clear() entries()
WeakSet: has() add() delete()
RegExp: test() exec():text[] source flags lastIndex global
Error: message:text name:text stack:text code status cause args
Math: round() floor() max() min() random() abs() ceil() sqrt() PI pow() sin() cos() sign() trunc() log() hypot() atan2() tan()
JSON: stringify():text parse()
Object: keys():text[] entries() values() fromEntries() assign() freeze() hasOwn() is() getPrototypeOf()
new Object: keys():text[] entries() values() fromEntries() assign() freeze() hasOwn() is() getPrototypeOf()
new Array: from() isArray() of()
new Number: isInteger() isFinite() parseFloat() isNaN() parseInt() MAX_SAFE_INTEGER EPSILON
new String: fromCharCode() raw() fromCodePoint()
new Promise: all() resolve() allSettled() reject() race() any()
Promise: then() catch() finally()
Intl: NumberFormat():Formatter DateTimeFormat():Formatter RelativeTimeFormat():Formatter PluralRules():Plurals ListFormat():Formatter Collator():Collator
Formatter: format():text formatToParts() resolvedOptions() formatRange():text
Plurals: select():text
Collator: compare()
Crypto: randomUUID():text getRandomValues() subtle
Performance: now() mark() measure() getEntriesByName() timeOrigin
Notification: close() onclick title
new Notification: requestPermission() permission
ImportMeta: env:Env url hot
Env: MODE DEV PROD BASE_URL SSR
TextDecoder: decode():text encoding
TextEncoder: encode() encodeInto()
Audio: play() pause() currentTime volume loop src paused duration
text: trim():text length split():text[] strip():text toLowerCase():text includes() lower():text replace():text slice():text startsWith() upper():text startswith() toUpperCase():text endsWith() indexOf() padStart():text join() match() title():text endswith() substring():text charAt():text at():text replaceAll():text find() charCodeAt() localeCompare() repeat():text lastIndexOf() padEnd():text trimStart():text trimEnd():text format() splitlines():text[] concat():text search() count()
Ref: current:Element
ReactComponent: props state setState() render()
Children: map() toArray() count() forEach() only()
React: useState() useEffect() useRef():Ref useMemo() useCallback() createElement() memo() Fragment lazy() Suspense Children:Children createContext():Context
Context: Provider Consumer displayName
SpawnResult: reports status ok result error:Error warnings
LiveResult: reports loading error:Error ok status result optimistic()
Action: run() pending error:Error reports result
ActionAnswer: ok status reports result error:Error
Signup: success error code user_id root_id
Connection: send() close() isOpen
TopicMessage: data topic seq
Form: Field handleSubmit() reset() state:FormState setFieldValue() getFieldValue() Subscribe store validateAllFields()
FormField: state:FieldState handleChange() handleBlur() name setValue() form:Form pushValue() removeValue()
FieldState: value meta:FieldMeta
FieldMeta: errors:Error[] isTouched isValid isDirty isValidating
FormState: values errors isSubmitting canSubmit isValid isDirty isTouched
FormSubmit: value formApi:Form
Schema: min():Schema optional():Schema max():Schema email():Schema int():Schema safeParse():Parsed parse() default():Schema refine():Schema regex():Schema positive():Schema nonempty():Schema url():Schema nullable():Schema length():Schema trim():Schema extend():Schema shape transform():Schema partial():Schema passthrough():Schema strict():Schema
SchemaMaker: string():Schema object():Schema number():Schema array():Schema boolean():Schema enum():Schema coerce:SchemaMaker optional():Schema literal():Schema union():Schema date():Schema any():Schema record():Schema infer email():Schema
Parsed: success data error:SchemaError
SchemaError: issues:Issue[] errors:Issue[] flatten() format() message
Issue: message:text path code
Screen: getByText():Element.found getByRole():Element.found queryByText():Element.found findByText():Element.found! getByLabelText():Element.found getAllByRole():Element.found[] getByTestId():Element.found queryByRole():Element.found findByRole():Element.found! getAllByText():Element.found[] getByPlaceholderText():Element.found findAllByText() debug() queryAllByRole():Element.found[]
UserEvent: type() click() keyboard() clear() tab() hover() selectOptions() upload() setup():UserEvent dblClick()
FireEvent: click() change() submit() keyDown() input() blur() focus()
Page: expect() click() fill() goto() text() errors expect_gone() expect_path() press() drag() count() reload() path accessibility_problems() go() back()
Query: data isLoading error:Error refetch() isError isPending isFetching status isSuccess mutate()
Mutation: mutate() isPending mutateAsync() error:Error isError isSuccess data reset()
QueryClient: invalidateQueries() setQueryData() getQueryData() prefetchQuery() clear()
HookForm: register() handleSubmit() formState:HookFormState reset() watch() setValue() control getValues() setError() trigger()
HookFormState: errors isSubmitting isValid isDirty touchedFields
Axios: get():AxiosAnswer! post():AxiosAnswer! put():AxiosAnswer! delete():AxiosAnswer! patch():AxiosAnswer! create():Axios request() defaults interceptors
AxiosAnswer: data status headers statusText config
Toast: success() error() loading() promise() dismiss() info() warning()
Day: format():text add():Day subtract():Day diff() isBefore() isAfter() toDate():Date fromNow():text startOf():Day endOf():Day isSame() year() month() date() day() valueOf() toISOString():text
Store: getState() setState() subscribe() dispatch()
Slice: actions reducer name selectors caseReducers
ReduxAction: payload type
Table: getHeaderGroups():HeaderGroup[] getRowModel():RowModel getState() setPageIndex() nextPage() previousPage() getAllColumns():Column[] setGlobalFilter() getCanNextPage() getCanPreviousPage() getColumn():Column
HeaderGroup: headers:Header[] id depth
Header: column:Column id getContext() isPlaceholder colSpan getSize()
Column: columnDef:ColumnDef getToggleSortingHandler() id getIsSorted() toggleSorting() getCanSort() setFilterValue() getFilterValue() toggleVisibility()
ColumnDef: header cell accessorKey footer id
ColumnHelper: accessor() display() group()
RowModel: rows:Row[]
Row: getVisibleCells():Cell[] original id getValue() index getIsSelected() toggleSelected()
Cell: column:Column getContext() id getValue() row:Row
Styled: div button section h1 p span input ul li a header main nav form label h2 footer article img table
new Chart: register() defaults getChart()
Chart: destroy() update() data options resize()
Markdown: parse():text use() setOptions() lexer() Renderer
Sanitizer: sanitize():text addHook() setConfig()
RouterHooks: push() replace() back()
ErrorBoundary: error:Error resetErrorBoundary()
datetime: isoformat():text strftime():text timestamp() date():date year month day hour minute replace():datetime weekday() time() second astimezone():datetime total_seconds() tzinfo timetuple() isoweekday()
new datetime: now():datetime fromisoformat():datetime fromtimestamp():datetime strptime():datetime utcnow():datetime today():datetime combine():datetime min:datetime max:datetime
date: isoformat():text strftime():text year month day weekday() replace():date isoweekday() timetuple() toordinal() isocalendar()
new date: today():date fromisoformat():date fromtimestamp():date min:date max:date fromordinal():date
timedelta: total_seconds() days seconds microseconds
time: isoformat():text strftime():text hour minute second replace():time
new timezone: utc
StringIO: getvalue():text write() read():text readline():text seek() close() readlines():text[] truncate()
TextFile: read():text write() readlines():text[] close() readline():text seek() writelines() flush() name
CsvWriter: writerow() writerows() writeheader() dialect
CsvReader: fieldnames line_num dialect
Match: group():text groups() start() end() span() groupdict() string
Pattern: match():Match findall() search():Match sub():text fullmatch():Match finditer():Match[] split():text[] pattern
Regression: slope intercept
Hash: hexdigest():text update() digest() copy():Hash digest_size
Uuid: hex int bytes version urn
PyResponse: json() status_code text:text ok headers raise_for_status() content url cookies iter_lines() reason
Session: get():PyResponse post():PyResponse headers put():PyResponse delete():PyResponse close() auth cookies
UploadFile: read() filename content_type size headers close() seek()
Logger: info() error() warning() debug() exception() critical() setLevel() addHandler()
Path: exists() read_text():text write_text() name:text parent:Path mkdir() joinpath():Path is_file() suffix stem iterdir():Path[] glob():Path[] is_dir() resolve():Path unlink() open():TextFile read_bytes() write_bytes() with_suffix():Path rglob():Path[] stat() parts relative_to():Path
Counter: most_common() items() get() update() values() keys() elements() total() subtract()
defaultdict: items() get() keys() values() pop() setdefault() update()
deque: append() popleft() appendleft() pop() extend() rotate() clear() maxlen
ParsedUrl: netloc path scheme query hostname fragment port params
Decimal: quantize():Decimal is_nan() sqrt():Decimal as_tuple() normalize():Decimal to_integral_value():Decimal
Random: randint() choice() random() shuffle() sample() uniform() seed() randrange() choices() gauss()
StructTime: tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday
Task: cancel() result() done() add_done_callback() exception() cancelled()
Queue: put() get() empty() qsize() task_done() get_nowait() put_nowait() join() full()
AsyncEvent: set() wait() clear() is_set()
Lock: acquire() release() locked()
Environ: get():text items() keys() pop() setdefault()
`;

/** Kinds of names that every browser has, or that a package gives: the kind of the value, or with `()` that of what calling it gives. */
const named = `
document:Document window:Window globalThis:Window location:Location history:History navigator:Navigator localStorage:Storage sessionStorage:Storage
console:Console Math:Math JSON:JSON Intl:Intl crypto:Crypto performance:Performance Reflect:Object fetch():Response! matchMedia():MediaQueryList
Error():Error TypeError():Error SyntaxError():Error RangeError():Error Audio():Audio Symbol:Object
getSelection():Object structuredClone():any ref:Ref useRef():Ref Ref():Ref createRef():Ref createContext():Context Children:Children React:React
useLocation():RouterLocation useRouter():Router svcSpawn():SpawnResult! svcSignup():Signup! svcConnect():Connection useLive():LiveResult live():LiveResult
useAction():Action useSvcForm():Form SvcSchema:SchemaMaker z:SchemaMaker screen:Screen userEvent:UserEvent fireEvent:FireEvent page:Page
useQuery():Query useInfiniteQuery():Query useSuspenseQuery():Query useSWR():Query useMutation():Mutation useQueryClient():QueryClient QueryClient():QueryClient
useForm():HookForm useFormContext():HookForm axios:Axios toast:Toast dayjs():Day moment():Day configureStore():Store createStore():Store createSlice():Slice
useReactTable():Table createColumnHelper():ColumnHelper styled:Styled Chart():Chart marked:Markdown DOMPurify:Sanitizer
URLSearchParams():URLSearchParams startOfMonth():Date endOfMonth():Date addDays():Date subDays():Date addMonths():Date subMonths():Date parseISO():Date
startOfDay():Date endOfDay():Date startOfWeek():Date endOfWeek():Date open():TextFile
`;

/** Results of members of standard modules. */
const standard = `
datetime.datetime():datetime datetime.date():date datetime.timedelta():timedelta datetime.time():time
io.StringIO():StringIO io.BytesIO():StringIO csv.writer():CsvWriter csv.DictWriter():CsvWriter csv.reader():CsvReader csv.DictReader():CsvReader
re.match():Match re.search():Match re.fullmatch():Match re.compile():Pattern re.finditer():Match[] statistics.linear_regression():Regression
hashlib.sha256():Hash hashlib.md5():Hash hashlib.sha1():Hash hashlib.sha512():Hash hashlib.new():Hash hmac.new():Hash
uuid.uuid4():Uuid uuid.uuid1():Uuid uuid.uuid5():Uuid uuid.UUID():Uuid requests.get():PyResponse requests.post():PyResponse requests.put():PyResponse
requests.patch():PyResponse requests.delete():PyResponse requests.request():PyResponse requests.Session():Session http.UploadFile():UploadFile
logging.getLogger():Logger pathlib.Path():Path collections.Counter():Counter collections.defaultdict():defaultdict collections.deque():deque
urllib.parse.urlparse():ParsedUrl urllib.parse.urlsplit():ParsedUrl decimal.Decimal():Decimal random.Random():Random time.localtime():StructTime
time.gmtime():StructTime asyncio.create_task():Task asyncio.Queue():Queue asyncio.Event():AsyncEvent asyncio.Lock():Lock threading.Lock():Lock
queue.Queue():Queue os.environ:Environ
`;

/** Kinds that the name of a variable speaks of, for values nothing else is known of. */
const usual = `
e:Event evt:Event event:Event target:Element currentTarget:Element response:Response resp:Response
current:Element el:Element element:Element input:Element error:Error err:Error socket:WebSocket ws:WebSocket worker:Worker
ctx:Canvas now:datetime today:date entry:IntersectionEntry formData:FormData ref:Ref loc:RouterLocation made:Signup result:SpawnResult file:File
issue:Issue schema:Schema action:ReduxAction li:Element.found button:Element.found canvas:Element.canvas video:Element.video dialog:Element.dialog
field:FormField form:Form page:Page dataTransfer:DataTransfer classList:ClassList searchParams:URLSearchParams style:Style meta:ImportMeta
`;

const part = /^([\w.]+)(\(\))?(?::(.+))?$/;

function read(text: string): ReadonlyMap<string, { readonly isMethod: boolean; readonly gives: Given | undefined }> {
  const words = text.trim().split(/\s+/);
  return new Map(
    words.map((word) => {
      const [, name, call, gives] = part.exec(word)!;
      return [name!, { isMethod: call !== undefined, gives }];
    }),
  );
}

export const kinds: ReadonlyMap<string, Kind> = new Map(
  table
    .trim()
    .split('\n')
    .map((line): [string, Kind] => {
      const colon = line.indexOf(': ');
      const [name, base] = line.slice(0, colon).split(' < ');
      return [name!, { members: read(line.slice(colon + 2)), base }];
    }),
);

/** Members of a kind, then those of the kind it goes back to. */
export function membersOfKind(name: string): Kind['members'] {
  const kind = kinds.get(name);
  if (kind?.base === undefined) return kind?.members ?? new Map();
  return new Map([...kind.members, ...[...membersOfKind(kind.base)].filter(([member]) => !kind.members.has(member))]);
}
export const namedKinds = read(named);
export const standardKinds = read(standard);
export const usualKinds = read(usual);

/** Kinds of the events that attributes of markup and members of objects hand to functions. */
export function eventKind(name: string): string {
  if (/^on_?(?:key)/i.test(name)) return 'KeyboardEvent';
  if (/^on_?(?:drag|drop)/i.test(name)) return 'DragEvent';
  if (/^on_?(?:mouse|click|doubleclick|contextmenu)/i.test(name)) return 'MouseEvent';
  if (/^on_?pointer/i.test(name)) return 'PointerEvent';
  if (/^on_?touch/i.test(name)) return 'TouchEvent';
  if (/^on_?wheel/i.test(name)) return 'WheelEvent';
  if (/^on_?(?:copy|cut|paste)/i.test(name)) return 'ClipboardEvent';
  if (/^on_?submit/i.test(name)) return 'SubmitEvent';
  if (/^on_?message/i.test(name)) return 'MessageEvent';
  if (/^on_?close$/i.test(name)) return 'CloseEvent';
  if (/^on_?storage/i.test(name)) return 'StorageEvent';
  return 'Event';
}
