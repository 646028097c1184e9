import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { changeKeyState, type KeyUse, keysKey, type RealmKey, type RealmKeys, removeKey } from '../../api/keys.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { stateOf } from '../keys/key-state.ts';
import { ChangeEffects } from './change-effects.tsx';
import { texts as keyTexts } from './texts.ts';

export type KeyChange = 'passive' | 'active' | 'disabled' | 'enabled' | 'remove';

/** The changes of each state, in the order of their buttons. */
const CHANGES: Readonly<Record<ReturnType<typeof stateOf>, readonly KeyChange[]>> = {
  current: ['passive', 'disabled', 'remove'],
  active: ['passive', 'disabled', 'remove'],
  passive: ['active', 'disabled', 'remove'],
  disabled: ['enabled', 'remove'],
};

/** Buttons that change the state of a key, or remove it. Each asks first and explains what it breaks. */
export function KeyChanges(props: {
  realm: string;
  keys: RealmKeys;
  item: RealmKey;
  componentId: string;
  use: KeyUse | undefined;
}) {
  const { realm, keys, item, componentId, use } = props;
  const texts = useTexts(keyTexts);
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<KeyChange>();
  const [done, setDone] = useState<string>();
  const words = {
    passive: [texts.toPassive, texts.toPassiveOf, texts.madePassive],
    active: [texts.toActive, texts.toActiveOf, texts.madeActive],
    disabled: [texts.disable, texts.disableOf, texts.madeDisabled],
    enabled: [texts.enable, texts.enableOf, texts.madeEnabled],
    remove: [texts.remove, texts.removeOf, ''],
  } as const;
  const change = useMutation({
    mutationFn: (kind: KeyChange) => applyChange(realm, componentId, kind),
    onSuccess: (_, kind) => {
      setAsked(undefined);
      setDone(words[kind][2]);
      if (kind === 'remove') navigate(`/realms/${encodeSegment(realm)}/keys`);
    },
    onSettled: () => client.invalidateQueries({ queryKey: keysKey(realm) }),
  });
  return (
    <section>
      <h2>{texts.change}</h2>
      <p className="actions">
        {CHANGES[stateOf(item, keys)].map((kind) => (
          <button
            key={kind}
            type="button"
            className={kind === 'remove' ? 'danger' : undefined}
            onClick={() => setAsked(kind)}
          >
            {words[kind][0]}
          </button>
        ))}
      </p>
      <Outcome done={done} />
      {asked !== undefined && (
        <Confirm
          title={words[asked][1]}
          action={words[asked][0]}
          isDangerous={asked === 'remove' || asked === 'disabled'}
          isBusy={change.isPending}
          onConfirm={() => change.mutate(asked)}
          onClose={() => {
            setAsked(undefined);
            change.reset();
          }}
        >
          {change.error !== null && <FailureNotice failure={change.error} />}
          <ChangeEffects realm={realm} keys={keys} item={item} use={use} change={asked} />
        </Confirm>
      )}
    </section>
  );
}

function applyChange(realm: string, componentId: string, change: KeyChange): Promise<void> {
  if (change === 'remove') return removeKey(realm, componentId);
  if (change === 'passive' || change === 'active')
    return changeKeyState(realm, componentId, { active: change === 'active' });
  return changeKeyState(realm, componentId, { enabled: change === 'enabled' });
}
