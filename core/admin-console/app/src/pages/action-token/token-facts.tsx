import type { TokenHistory, TokenType } from '../../api/action-tokens.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../action-tokens/texts.ts';
import { typeName } from '../action-tokens/token-table.tsx';

const TONES = { out: 'good', used: 'neutral', revoked: 'bad', ended: 'bad', expired: 'neutral' } as const;

export function TokenFacts({ token, types }: { token: TokenHistory; types: readonly TokenType[] }) {
  const strings = useTexts(texts);
  const { state, type, clientId, issuedAt, expiresAt, id } = token;
  return (
    <>
      <p className="state-line">
        {state === undefined ? strings.unknownState : <Badge tone={TONES[state]}>{strings.states[state]}</Badge>}
      </p>
      <Facts
        facts={[
          ...(type === undefined ? [] : [[strings.type, typeName(type, types)] as const]),
          ...(clientId === undefined ? [] : [[strings.client, clientId] as const]),
          [strings.issued, <Time key="issued" at={issuedAt} />],
          ...(expiresAt === undefined ? [] : [[strings.expires, <Time key="expires" at={expiresAt} />] as const]),
          [strings.id, <code key="id">{id}</code>],
        ]}
      />
    </>
  );
}
