import { useQuery } from '@tanstack/react-query';
import type { IdentityProvider } from '../../api/identity-providers.ts';
import { serverInfo } from '../../api/server-info.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { texts as listTexts } from './texts.ts';

/**
 * Shows whether users can sign in with the provider: the host also stores providers of types that it does not support.
 */
export function ProviderState({ provider: { providerId, enabled } }: { provider: IdentityProvider }) {
  const texts = useTexts(listTexts);
  const { data } = useQuery(serverInfo());
  if (data !== undefined && !data.identityProviders.some(({ id }) => id === providerId)) {
    return <Badge tone="warning">{texts.unsupported}</Badge>;
  }
  return enabled ? <Badge tone="good">{texts.enabled}</Badge> : <Badge tone="neutral">{texts.disabled}</Badge>;
}
