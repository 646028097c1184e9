import type { RealmFileState } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { texts } from '../file/texts.ts';

const TONES = { applied: 'good', drifted: 'warning', invalid: 'bad' } as const;

export function StateBadge({ state }: Pick<RealmFileState, 'state'>) {
  return <Badge tone={TONES[state]}>{useTexts(texts).states[state]}</Badge>;
}
