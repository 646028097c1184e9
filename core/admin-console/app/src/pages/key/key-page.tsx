import { useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { RealmKey, RealmKeys } from '../../api/keys.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Time } from '../../parts/time.tsx';
import { State } from '../keys/key-columns.tsx';
import { isOfPlugin, stateOf } from '../keys/key-state.ts';
import { texts as keysTexts } from '../keys/texts.ts';
import { useRealmKeys } from '../keys/use-realm-keys.ts';
import { KeyChanges } from './key-changes.tsx';
import { KeyUsage } from './key-usage.tsx';
import { PublicParts } from './public-parts.tsx';
import { RotateKey } from './rotate-key.tsx';
import { texts as keyTexts } from './texts.ts';

export default function KeyPage({ realm, kid }: { realm: string; kid: string }) {
  const texts = useTexts(keyTexts);
  const parts = useRealmKeys(realm);
  const key = parts.query.data?.keys.find((one) => one.kid === kid);
  const back = <Link href={`/realms/${encodeSegment(realm)}/keys`}>{texts.back}</Link>;
  return (
    <Page title={key === undefined ? kid : texts.title(key.algorithm)} lead={back}>
      <QueryResult query={parts.query}>
        {(keys) =>
          key === undefined ? (
            <p className="notice">{texts.absent}</p>
          ) : (
            <Sections realm={realm} item={key} keys={keys} parts={parts} />
          )
        }
      </QueryResult>
    </Page>
  );
}

function Sections(props: { realm: string; item: RealmKey; keys: RealmKeys; parts: ReturnType<typeof useRealmKeys> }) {
  const { realm, item, keys, parts } = props;
  const texts = useTexts(keyTexts);
  const { readOnly, rotate } = useTexts(keysTexts);
  const { none } = useMessages();
  const canManage = useRights(realm)('manage-realm');
  const [isRotating, setRotating] = useState(false);
  const [done, setDone] = useState<string>();
  const use = parts.findUse(item);
  const component = parts.componentOf(item);
  const isOwn = component !== undefined && !isOfPlugin(component);
  return (
    <>
      <div className="page-line">
        <span className="key-state">
          <State keys={keys} item={item} use={use} />
        </span>
        {canManage && isOwn && stateOf(item, keys) === 'current' && (
          <button type="button" className="primary" onClick={() => setRotating(true)}>
            {rotate}
          </button>
        )}
      </div>
      <Outcome done={done} />
      {!canManage && <p className="notice">{readOnly}</p>}
      {component !== undefined && !isOwn && <p className="notice">{texts.ofPlugin(component.providerId)}</p>}
      <Facts
        facts={[
          [texts.kid, <code key="kid">{item.kid}</code>],
          [texts.created, item.createdAt === undefined ? none : <Time key="created" at={item.createdAt} />],
          [texts.provider, component === undefined ? none : `${component.name ?? ''} (${component.providerId})`],
          [texts.priority, item.providerPriority],
          ...(item.validTo === undefined
            ? []
            : [[texts.certificateUntil, <Time key="until" at={item.validTo} />] as const]),
        ]}
      />
      <KeyUsage realm={realm} item={item} use={use} />
      <PublicParts item={item} />
      {canManage && isOwn && <KeyChanges realm={realm} keys={keys} item={item} componentId={component.id} use={use} />}
      {isRotating && (
        <RotateKey
          realm={realm}
          keyToRotate={item}
          keys={keys}
          use={use}
          component={component}
          onRotated={() => setDone(texts.rotated(item.algorithm))}
          onClose={() => setRotating(false)}
        />
      )}
    </>
  );
}
