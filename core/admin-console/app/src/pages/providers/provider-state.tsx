import type { Provider } from '../../api/providers.ts';
import { useMessages } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';

export function ProviderState({ provider: { health, enabled } }: { provider: Provider }) {
  const { providers } = useMessages();
  if (health.status === 'failed') return <Badge tone="bad">{providers.fails}</Badge>;
  if (health.status === 'down') return <Badge tone="bad">{providers.down}</Badge>;
  return enabled ? <Badge tone="good">{providers.up}</Badge> : <Badge tone="neutral">{providers.off}</Badge>;
}
