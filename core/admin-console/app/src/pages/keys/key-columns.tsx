import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { KeyComponent, KeyUse, RealmKey, RealmKeys } from '../../api/keys.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Duration, Time } from '../../parts/time.tsx';
import { isOfPlugin, lastTokenExpiry, purposeOf, stateOf } from './key-state.ts';
import { texts as keysTexts } from './texts.ts';

/** The number of characters of a kid that distinguish keys in a list. */
const SHOWN_KID = 12;
const TONES = { current: 'good', active: 'neutral', passive: 'neutral', disabled: 'warning' } as const;

/** @param parts.onRotate opens the dialog that rotates a key; undefined if the user may not */
export function useKeyColumns(
  realm: string,
  keys: RealmKeys,
  parts: {
    readonly findUse: (key: RealmKey) => KeyUse | undefined;
    readonly componentOf: (key: RealmKey) => KeyComponent | undefined;
    readonly onRotate: ((key: RealmKey) => void) | undefined;
  },
): readonly Column<RealmKey>[] {
  const texts = useTexts(keysTexts);
  const { findUse, componentOf, onRotate } = parts;
  const columns: readonly Column<RealmKey>[] = [
    {
      title: texts.key,
      show: (key) => (
        <>
          <Link href={`/realms/${encodeSegment(realm)}/keys/${encodeSegment(key.kid)}`}>{key.algorithm}</Link>
          <small className="second-line">
            <code>{key.kid.length > SHOWN_KID ? `${key.kid.slice(0, SHOWN_KID)}…` : key.kid}</code>
          </small>
          <small className="narrow">
            <Age item={key} />
          </small>
        </>
      ),
    },
    { title: texts.state, show: (key) => <State keys={keys} item={key} use={findUse(key)} /> },
    { title: texts.usedFor, isMinor: true, show: (key) => <UsedFor item={key} use={findUse(key)} /> },
    {
      title: texts.provider,
      isMinor: true,
      show: (key) => (
        <>
          {componentOf(key)?.name ?? componentOf(key)?.providerId}
          <small className="second-line">{texts.priority(key.providerPriority)}</small>
        </>
      ),
    },
    { title: texts.age, isMinor: true, show: (key) => <Age item={key} /> },
  ];
  if (onRotate === undefined) return columns;
  const canRotate = (key: RealmKey) => {
    const component = componentOf(key);
    return stateOf(key, keys) === 'current' && component !== undefined && !isOfPlugin(component);
  };
  return [
    ...columns,
    {
      title: texts.actions,
      isAction: true,
      show: (key) =>
        canRotate(key) && (
          <button type="button" aria-label={texts.rotateOf(key.algorithm)} onClick={() => onRotate(key)}>
            {texts.rotate}
          </button>
        ),
    },
  ];
}

/** Whether a key signs, and until when the tokens of a key are valid that no longer does. */
export function State({ keys, item, use }: { keys: RealmKeys; item: RealmKey; use: KeyUse | undefined }) {
  const texts = useTexts(keysTexts);
  const state = stateOf(item, keys);
  const expiry = state === 'disabled' ? undefined : lastTokenExpiry(item, keys, use);
  const isExpired = item.validTo !== undefined && item.validTo < Date.now();
  return (
    <>
      <Badge tone={TONES[state]}>{texts.states[purposeOf(item)][state]}</Badge>
      {isExpired && <Badge tone="bad">{texts.expired}</Badge>}
      {expiry !== undefined && (
        <small className="second-line">
          {expiry > Date.now() ? texts.until : texts.since} <Time at={expiry} />
        </small>
      )}
    </>
  );
}

function UsedFor({ item, use }: { item: RealmKey; use: KeyUse | undefined }) {
  const texts = useTexts(keysTexts);
  const purpose = purposeOf(item);
  if (purpose !== 'tokens') return texts.purposes[purpose];
  const clients = (use?.clients.length ?? 0) + (use?.moreClients ?? 0);
  const choosing = clients === 0 ? undefined : texts.andClients(clients);
  if (use?.isDefault !== true) return choosing ?? texts.noClients;
  return (
    <>
      {texts.isDefault}
      {choosing !== undefined && <small className="second-line">{choosing}</small>}
    </>
  );
}

function Age({ item: { createdAt } }: { item: RealmKey }) {
  const texts = useTexts(keysTexts);
  if (createdAt === undefined) return texts.ageUnknown;
  return (
    <span className="key-age">
      <Duration milliseconds={Math.max(0, Date.now() - createdAt)} />
    </span>
  );
}
