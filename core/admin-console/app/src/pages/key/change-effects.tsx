import type { KeyUse, RealmKey, RealmKeys } from '../../api/keys.ts';
import { useTexts } from '../../messages/language.tsx';
import { Time } from '../../parts/time.tsx';
import { session } from '../../session/session.ts';
import { lastTokenExpiry, purposeOf, stateOf, successorOf } from '../keys/key-state.ts';
import { effectTexts } from './effect-texts.ts';
import type { KeyChange } from './key-changes.tsx';
import { texts as keyTexts } from './texts.ts';

/** The effects of a change of a key, in words. */
export function ChangeEffects(props: {
  realm: string;
  keys: RealmKeys;
  item: RealmKey;
  use: KeyUse | undefined;
  change: KeyChange;
}) {
  const { realm, keys, item, use, change } = props;
  const texts = useTexts(keyTexts);
  const effects = useTexts(effectTexts);
  const purpose = purposeOf(item);
  const state = stateOf(item, keys);
  const expiry = lastTokenExpiry(item, keys, use);
  const isHarmless = expiry !== undefined && expiry < Date.now() && use?.isUnlimited !== true;
  const isEnding = change === 'remove' || change === 'disabled';
  const isStopping = state === 'current' && (isEnding || change === 'passive');
  const successor = successorOf(item, keys);
  return (
    <>
      {isEnding && state === 'disabled' ? (
        <p>{texts.isDisabled}</p>
      ) : isEnding && isHarmless ? (
        <p>{texts.harmless}</p>
      ) : (
        <p className={isEnding ? 'notice notice-warning' : undefined}>
          {effects[change === 'remove' ? 'disabled' : change][purpose]}
        </p>
      )}
      {isEnding && !isHarmless && state !== 'disabled' && expiry !== undefined && (
        <p>
          {texts.stillValid} <Time at={expiry} />
        </p>
      )}
      {isStopping && (
        <p>{successor === undefined ? texts.noSuccessor(item.algorithm) : texts.successor(successor.kid)}</p>
      )}
      {isEnding && state === 'current' && purpose === 'internal' && realm === session.realm && <p>{texts.including}</p>}
      {change === 'remove' && <p>{texts.removeLead}</p>}
    </>
  );
}
