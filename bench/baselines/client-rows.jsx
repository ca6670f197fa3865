import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const sizes = ['small', 'handy', 'large', 'huge', 'tiny', 'plain', 'round'];
const things = ['table', 'chair', 'lamp', 'shelf', 'door', 'clock', 'desk', 'bowl', 'glass', 'rug', 'bed'];

function makeGoods(count) {
  return Array.from({ length: count }, (_, i) => ({
    id: i,
    name: `${sizes[i % 7]} ${things[i % 11]}`,
    price: ((i * 37) % 1000) / 10,
    sold: i % 3 === 0,
  }));
}

export function Good({ good, isChosen, onChoose }) {
  return (
    <tr className={isChosen ? 'chosen' : ''}>
      <td>{good.id}</td>
      <td>
        <button type="button" onClick={() => onChoose(good.id)}>
          {good.name}
        </button>
      </td>
      <td>{good.price.toFixed(2)}</td>
      <td>{good.sold ? 'sold' : 'here'}</td>
    </tr>
  );
}

export function App() {
  const [goods, setGoods] = useState([]);
  const [chosen, setChosen] = useState(-1);
  const [query, setQuery] = useState('');
  const [count, setCount] = useState(0);

  useEffect(() => {
    window.bench = {
      fill: (n) => flushSync(() => setGoods(makeGoods(n))),
      tick: (n) =>
        flushSync(() => {
          setCount(n);
          setChosen(n % 100);
        }),
    };
  }, []);

  const shown = goods.filter((good) => good.name.includes(query));
  const total = shown.filter((good) => !good.sold).reduce((sum, good) => sum + good.price, 0);
  return (
    <section>
      <h1>
        {shown.length} goods, {total.toFixed(2)} EUR, {count}
      </h1>
      <input value={query} onChange={(e) => setQuery(e.target.value)} />
      <table>
        <tbody>
          {shown.map((good) => (
            <Good key={good.id} good={good} isChosen={good.id === chosen} onChoose={setChosen} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
