import type { TokenHistory, TokenType } from '../../api/action-tokens.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../action-tokens/texts.ts';
import { typeName } from '../action-tokens/token-table.tsx';

const TONES = { out: 'good', used: 'neutral', revoked: 'bad', ended: 'bad', expired: 'neutral' } as const;

export function TokenFacts({ token, types }: { token: TokenHistory; types: readonly TokenType[] }) {
  const told = useTexts(texts);
  const { state, type, clientId, issuedAt, expiresAt, id } = token;
  return (
    <>
      <p className="state-line">
        {state === undefined ? told.unknownState : <Badge tone={TONES[state]}>{told.states[state]}</Badge>}
      </p>
      <Facts
        facts={[
          ...(type === undefined ? [] : [[told.type, typeName(type, types)] as const]),
          ...(clientId === undefined ? [] : [[told.client, clientId] as const]),
          [told.issued, <Time key="issued" at={issuedAt} />],
          ...(expiresAt === undefined ? [] : [[told.expires, <Time key="expires" at={expiresAt} />] as const]),
          [told.id, <code key="id">{id}</code>],
        ]}
      />
    </>
  );
}
