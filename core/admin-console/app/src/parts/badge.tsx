import type { ReactNode } from 'react';

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A state in one word; the colour adds no information. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
