import type { ReactNode } from 'react';

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A state in a word; its colour says nothing that the word does not. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
