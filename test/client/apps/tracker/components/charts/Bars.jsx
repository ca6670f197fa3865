export function Bars({ data, height = 60 }) {
  const max = Math.max(1, ...data.map((d) => d.value));
  return (
    <svg width={data.length * 30} height={height} role="img" aria-label="bars">
      {data.map((d, i) => (
        <rect
          key={d.label}
          x={i * 30}
          y={height - (d.value / max) * height}
          width="24"
          height={(d.value / max) * height}
          fill={d.color}
        >
          <title>{`${d.label}: ${d.value}`}</title>
        </rect>
      ))}
    </svg>
  );
}
