// biome-ignore-all lint/a11y/useButtonType: as in the program that it stands beside
// biome-ignore-all lint/suspicious/noArrayIndexKey: as in the program that it stands beside
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: likewise
// biome-ignore-all lint/a11y/useKeyWithClickEvents: likewise
import { useEffect, useState } from 'react';
import { BrowserRouter, Link, Route, Routes, useNavigate, useParams } from 'react-router-dom';

const countries = { de: 'Germany', fr: 'France', it: 'Italy', pt: 'Portugal' };
const words = ['table', 'chair', 'lamp', 'shelf', 'door', 'clock'];
const states = { OPEN: 'open', PAID: 'paid', SENT: 'sent', DONE: 'done' };

class Line {
  constructor(name, count = 1, price = 0) {
    this.name = name;
    this.count = count;
    this.price = price;
  }
  total() {
    return Math.round(this.count * this.price * 100) / 100;
  }
  label() {
    return `${String(this.count).padStart(3)} x ${this.name}`;
  }
}

let token = localStorage.getItem('token');
async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  return { ok: response.ok, reports: answer.data?.reports ?? [], result: answer.data?.result, error: answer.error };
}
async function login(username, password) {
  const answer = await post('/user/login', { username, password });
  token = answer.result?.token;
  if (token) localStorage.setItem('token', token);
  return answer.ok;
}
function logout() {
  token = null;
  localStorage.removeItem('token');
}

const sum = (values) => values.reduce((a, b) => a + b, 0);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
const titled = (text) => text.split(' ').map(capital).join(' ');
const round = (value, digits) => Number(value.toFixed(digits));
function initials(name) {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part[0].toUpperCase())
    .join('');
}
function chunked(items, size) {
  const found = [];
  for (let i = 0; i < items.length; i += size) found.push(items.slice(i, i + size));
  return found;
}
function byState(orders) {
  const found = {};
  for (const order of orders) (found[order.state] ??= []).push(order);
  return found;
}
function parseAmount(text) {
  const value = Number(text.replace(',', '.'));
  return Number.isNaN(value) ? 0 : value;
}
function checksum(text) {
  let value = 7;
  for (const c of text) value = (value * 31 + c.codePointAt(0)) % 9973;
  return value;
}
const pad = (n) => String(n).padStart(2, '0');
function stamp(d) {
  return `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())} ${pad(d.getHours())}:${pad(d.getMinutes())}:${pad(d.getSeconds())}`;
}
function centered(text, width, fill) {
  const left = Math.max(0, Math.floor((width - text.length) / 2));
  return text.padStart(text.length + left, fill).padEnd(width, fill);
}

export function Badge({ text, kind = 'info' }) {
  return <span className={`badge badge-${kind}`}>{text.toUpperCase()}</span>;
}
export function Avatar({ name }) {
  return (
    <span className="avatar" title={name}>
      {initials(name).slice(0, 2)}
    </span>
  );
}
export function Money({ value, currency = 'EUR' }) {
  return <b>{`${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`}</b>;
}
export function Percent({ part, whole }) {
  return <i>{whole !== 0 ? `${((part / whole) * 100).toFixed(1)}%` : 'none'}</i>;
}
export function Card({ title, children }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
export function Empty({ what }) {
  return <p className="empty">No {what.toLowerCase()} yet</p>;
}
export function Tags({ tags }) {
  return (
    <ul>
      {[...new Set(tags)].sort().map((tag) => (
        <li key={tag}>#{tag}</li>
      ))}
    </ul>
  );
}
export function Steps({ names, at }) {
  return (
    <ol>
      {names.map((name, i) => (
        <li key={name} className={i === at ? 'now' : i < at ? 'past' : ''}>
          {i + 1}. {capital(name)}
        </li>
      ))}
    </ol>
  );
}
export function Stars({ value }) {
  return <span aria-label={`${value} of 5`}>{'*'.repeat(value) + '.'.repeat(5 - value)}</span>;
}
export function Bars({ values }) {
  const top = values.length > 0 ? Math.max(...values) : 1;
  return (
    <div>
      {values.map((v, i) => (
        <div key={i} style={{ width: `${Math.floor((v * 100) / top)}%` }}>
          {v}
        </div>
      ))}
    </div>
  );
}
export function Average({ values }) {
  const mean = values.length > 0 ? sum(values) / values.length : 0;
  const spread = Math.sqrt(sum(values.map((v) => (v - mean) ** 2)));
  return (
    <p>
      {round(mean, 2)} +- {round(spread, 3)}
    </p>
  );
}
export function Counter({ step = 1 }) {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + step)}>{count}</button>;
}
export function Toggle({ label }) {
  const [on, setOn] = useState(false);
  return (
    <label>
      <input type="checkbox" checked={on} onChange={() => setOn(!on)} />
      {label}: {on ? 'yes' : 'no'}
    </label>
  );
}
export function Search({ words }) {
  const [query, setQuery] = useState('');
  const found = words.filter((w) => w.includes(query.trim().toLowerCase()));
  return (
    <div>
      <input value={query} onChange={(e) => setQuery(e.target.value)} />
      <p>
        {found.length} of {words.length}: {found.join(', ')}
      </p>
    </div>
  );
}
export function Clock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    setInterval(() => setNow(new Date()), 1000);
  }, []);
  return <time>{stamp(now)}</time>;
}
export function DueDate({ days }) {
  return <time>{new Date(Date.now() + days * 86400000).toISOString().slice(0, 10)}</time>;
}
export function Dice() {
  const [rolls, setRolls] = useState([]);
  return (
    <button onClick={() => setRolls([...rolls, 1 + Math.floor(Math.random() * 6)].slice(-5))}>
      {rolls.length > 0 ? rolls.at(-1) : 'roll'} ({sum(rolls)})
    </button>
  );
}
export function Countries({ chosen, onChoose }) {
  return (
    <select value={chosen} onChange={(e) => onChoose(e.target.value)}>
      {Object.entries(countries).map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
export function TaxRate() {
  const [country, setCountry] = useState('de');
  const [rate, setRate] = useState(0);
  useEffect(() => {
    post('/function/rate_of', { country }).then((answer) => setRate(answer.result));
  }, [country]);
  return (
    <Card title="Tax">
      <Countries chosen={country} onChoose={setCountry} />
      <Percent part={rate} whole={1} />
    </Card>
  );
}
export function StateName({ state }) {
  switch (state) {
    case 'open':
    case 'paid':
      return <Badge text={state} kind="warn" />;
    case 'sent':
      return <Badge text="on its way" />;
    default:
      return <Badge text="done" kind="good" />;
  }
}
export function StateList() {
  return (
    <ul>
      {Object.entries(states).map(([name, value]) => (
        <li key={name}>
          {titled(name)}: {value}
        </li>
      ))}
    </ul>
  );
}
export function LineRow({ line }) {
  return (
    <tr>
      <td>{line.label()}</td>
      <td>
        <Money value={line.total()} />
      </td>
    </tr>
  );
}
export function Basket() {
  const [lines, setLines] = useState(() => [new Line('table', 2, 99.5), new Line('lamp')]);
  const add = () =>
    setLines([...lines, new Line(words[Math.floor(Math.random() * words.length)], lines.length + 1, 12.25)]);
  return (
    <Card title="Basket">
      <table>
        <tbody>
          {lines.map((line, i) => (
            <LineRow key={i} line={line} />
          ))}
        </tbody>
      </table>
      <Money value={sum(lines.map((line) => line.total()))} />
      <button onClick={add}>Add</button>
    </Card>
  );
}
export function OrderRow({ order, onClose }) {
  return (
    <tr>
      <td>
        <Link to={`/orders/${order._svc_id}`}>{order.title.trim()}</Link>
      </td>
      <td>
        <Money value={order.total} />
      </td>
      <td>
        <StateName state={order.state} />
      </td>
      <td>
        <button disabled={order.state === 'done'} onClick={() => onClose(order)}>
          Close
        </button>
      </td>
    </tr>
  );
}
export function Orders() {
  const [orders, setOrders] = useState([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    post('/walker/ListOrders', {}).then((answer) => setOrders(answer.reports));
  }, []);
  async function close(order) {
    const answer = await post(`/walker/CloseOrder/${order._svc_id}`, {});
    if (answer.ok) setOrders(orders.map((o) => (o._svc_id === order._svc_id ? answer.reports[0] : o)));
    else setProblem(answer.error.message);
  }
  return (
    <Card title="Orders">
      {problem && <p role="alert">{problem}</p>}
      <table>
        <tbody>
          {orders
            .toSorted((a, b) => b.total - a.total)
            .map((order) => (
              <OrderRow key={order._svc_id} order={order} onClose={close} />
            ))}
        </tbody>
      </table>
      {orders.length === 0 && <Empty what="Orders" />}
    </Card>
  );
}
export function NewOrder() {
  const [title, setTitle] = useState('');
  const [amount, setAmount] = useState('');
  const [problem, setProblem] = useState('');
  const go = useNavigate();
  async function save(event) {
    event.preventDefault();
    if (title.trim().length < 3) {
      setProblem('too short');
      return;
    }
    const answer = await post('/walker/AddOrder', { title, total: parseAmount(amount) });
    if (answer.ok) {
      setTitle('');
      setAmount('');
      go('/');
    } else setProblem(answer.error.message);
  }
  return (
    <form onSubmit={save}>
      <input value={title} onChange={(e) => setTitle(e.target.value)} />
      <input value={amount} onChange={(e) => setAmount(e.target.value)} />
      <p role="alert">{problem}</p>
      <button>Save</button>
    </form>
  );
}
export function OrderPage() {
  const { id } = useParams();
  return (
    <Card title="Order">
      <p>{id || 'none'}</p>
      <Link to="/">Back</Link>
    </Card>
  );
}
export function Summary({ orders }) {
  return (
    <dl>
      {Object.entries(byState(orders)).map(([state, some]) => (
        <div key={state}>
          <dt>{state}</dt>
          <dd>
            {some.length}, {sum(some.map((o) => o.total ?? 0))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
export function Grid({ items, size = 3 }) {
  return (
    <table>
      <tbody>
        {chunked(items, size).map((row, i) => (
          <tr key={i}>
            {row.map((item) => (
              <td key={item}>{centered(item, 9, '-')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
export function Pairs({ names, values }) {
  return (
    <ul>
      {names.slice(0, values.length).map((n, i) => (
        <li key={n}>
          {n}={values[i]}
        </li>
      ))}
    </ul>
  );
}
export function Unique({ words }) {
  const seen = new Set(words.map((w) => w.toLowerCase()));
  const lengths = words.map((w) => w.length);
  return (
    <p>
      {seen.size} words, the longest has {Math.max(...lengths)} letters, all short:{' '}
      {lengths.every((n) => n < 9) ? 'True' : 'False'}
    </p>
  );
}
export function Raw({ value }) {
  return <pre>{JSON.stringify(value, null, 2)}</pre>;
}
export function Kind({ value }) {
  return (
    <i>
      {typeof value === 'string'
        ? 'text'
        : typeof value === 'number'
          ? 'number'
          : Array.isArray(value)
            ? 'list'
            : 'other'}
    </i>
  );
}
export function Importer() {
  const [rows, setRows] = useState([]);
  const [problem, setProblem] = useState('');
  function read(text) {
    try {
      const found = JSON.parse(text);
      if (!Array.isArray(found)) throw new TypeError('a list is wanted');
      setRows(found);
      setProblem('');
    } catch (e) {
      setProblem(e.message);
      setRows([]);
    }
  }
  return (
    <Card title="Import">
      <textarea onChange={(e) => read(e.target.value)} />
      <p>{problem || `${rows.length} rows`}</p>
      <Summary orders={rows} />
    </Card>
  );
}
export function Codes({ words }) {
  return (
    <ul>
      {words.map((w) => (
        <li key={w}>
          {String(checksum(w)).padStart(5, '0')} {`0x${w.length.toString(16)}`} {[...w].reverse().join('')}
        </li>
      ))}
    </ul>
  );
}
export function Primes({ limit }) {
  const found = [];
  for (let n = 2; n < limit; n += 1) if (found.every((p) => n % p !== 0)) found.push(n);
  return <p>{found.join(', ')}</p>;
}
export function Table({ rows, columns }) {
  const [by, setBy] = useState('');
  const [down, setDown] = useState(false);
  function sort(column) {
    setDown(by === column ? !down : false);
    setBy(column);
  }
  const order = (a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0) * (down ? -1 : 1);
  const shown = columns.includes(by) ? rows.toSorted(order) : rows;
  return (
    <table>
      <thead>
        <tr>
          {columns.map((c) => (
            <th key={c} onClick={() => sort(c)}>
              {titled(c.replaceAll('_', ' '))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((r, i) => (
          <tr key={i}>
            {columns.map((c) => (
              <td key={c}>{r[c] ?? '-'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
export function Pager({ count, size, at, onTurn }) {
  return (
    <nav>
      {Array.from({ length: Math.ceil(count / size) }, (_, i) => (
        <button key={i} disabled={i === at} onClick={() => onTurn(i)}>
          {i + 1}
        </button>
      ))}
    </nav>
  );
}
export function Notes() {
  const [text, setText] = useState('');
  const [notes, setNotes] = useState([]);
  function add() {
    if (text && !notes.includes(text)) setNotes([...notes, text]);
    setText('');
  }
  return (
    <Card title="Notes">
      <input value={text} onChange={(e) => setText(e.target.value)} />
      <button onClick={add}>Add</button>
      <ul>
        {notes.map((n, i) => (
          <li key={n} onClick={() => setNotes(notes.filter((_, at) => at !== i))}>
            {n}
          </li>
        ))}
      </ul>
    </Card>
  );
}
export function SignIn() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [failed, setFailed] = useState(false);
  const enter = async () => setFailed(!(await login(name, password)));
  if (token) return <button onClick={logout}>Sign out</button>;
  return (
    <div>
      <input value={name} onChange={(e) => setName(e.target.value)} />
      <input type="password" value={password} onChange={(e) => setPassword(e.target.value)} />
      <button onClick={enter}>Sign in</button>
      {failed && <p role="alert">No</p>}
    </div>
  );
}
export function Office() {
  const [page, setPage] = useState(0);
  const rows = words.map((w, i) => ({ name: w, net_price: w.length * 3, sold: i }));
  return (
    <main>
      <Clock />
      <DueDate days={14} />
      <SignIn />
      <Orders />
      <NewOrder />
      <Basket />
      <TaxRate />
      <Importer />
      <Notes />
      <Dice />
      <StateList />
      <Table rows={rows.slice(page * 3, page * 3 + 3)} columns={['name', 'net_price', 'sold']} />
      <Pager count={rows.length} size={3} at={page} onTurn={setPage} />
      <Search words={words} />
      <Grid items={words} />
      <Pairs names={words} values={[1, 2, 3]} />
      <Unique words={words} />
      <Codes words={words} />
      <Primes limit={50} />
      <Raw value={rows} />
      <Kind value={page} />
      <Tags tags={words} />
      <Steps names={words} at={2} />
      <Stars value={3} />
      <Bars values={[3, 5, 8]} />
      <Average values={[1, 2.5]} />
      <Counter step={2} />
      <Toggle label="Ready" />
      <Avatar name="Ada Lovelace" />
    </main>
  );
}
export function App() {
  return (
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<Office />} />
        <Route path="/orders/:id" element={<OrderPage />} />
      </Routes>
    </BrowserRouter>
  );
}
