const paths = {
  close: 'M2 2 L14 14 M14 2 L2 14',
  done: 'M2 8 L6 12 L14 4',
  open: 'M8 2 A6 6 0 1 0 8 14 A6 6 0 1 0 8 2',
} as const;

export function Icon({ name, size = 16 }: { readonly name: keyof typeof paths; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} stroke="currentColor" fill="none" />
    </svg>
  );
}
