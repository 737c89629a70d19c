/** Share of a wait that is left, clockwise from 12. The hue is inherited. */
export function Arc({ size, share, width = 1.5 }: { size: number; share: number; width?: number }) {
  const radius = size / 2 - width / 2 - 0.25;
  const length = 2 * Math.PI * radius;
  const circle = { cx: size / 2, cy: size / 2, r: radius, fill: 'none', strokeWidth: width };
  return (
    <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true" style={{ display: 'block', flex: 'none' }}>
      <circle {...circle} stroke="var(--line-strong)" />
      <circle {...circle} stroke="currentColor" strokeLinecap="round" strokeDasharray={`${(length * Math.max(0, Math.min(1, share))).toFixed(2)} ${length}`} transform={`rotate(-90 ${size / 2} ${size / 2})`} />
    </svg>
  );
}
