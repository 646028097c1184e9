import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  changeKeyState,
  createKey,
  type KeyComponent,
  type KeyUse,
  keysKey,
  type RealmKey,
  type RealmKeys,
} from '../../api/keys.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Time } from '../../parts/time.tsx';
import { purposeOf, rotationOf } from '../keys/key-state.ts';
import { effectTexts } from './effect-texts.ts';
import { texts as keyTexts } from './texts.ts';

/** Generates a key that signs from now on, and sets the old one passive. */
export function RotateKey(props: {
  realm: string;
  keyToRotate: RealmKey;
  keys: RealmKeys;
  use: KeyUse | undefined;
  component: KeyComponent | undefined;
  onRotated: () => void;
  onClose: () => void;
}) {
  const { realm, keyToRotate: key, keys, use, component, onRotated, onClose } = props;
  const texts = useTexts(keyTexts);
  const effects = useTexts(effectTexts);
  const client = useQueryClient();
  const purpose = purposeOf(key);
  const rotate = useMutation({
    mutationFn: async () => {
      const { providerId, config } = rotationOf(key, keys.keys, component);
      await createKey(realm, { name: `${providerId}-${new Date().toISOString().slice(0, 10)}`, providerId, config });
      if (key.providerId !== undefined) await changeKeyState(realm, key.providerId, { active: false });
    },
    onSuccess: () => {
      onRotated();
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keysKey(realm) }),
  });
  return (
    <Confirm
      title={texts.rotating(key.algorithm)}
      action={texts.rotate}
      isBusy={rotate.isPending}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      {rotate.error !== null && <FailureNotice failure={rotate.error} />}
      <p>{effects.rotate[purpose]}</p>
      <p>{texts.oldPassive}</p>
      {use?.lifespan !== undefined && (
        <p>
          {texts.bothUntil} <Time at={Date.now() + use.lifespan * 1000} />
        </p>
      )}
      {use?.isUnlimited === true && <p>{purpose === 'storage' ? texts.bothStored : texts.bothOffline}</p>}
    </Confirm>
  );
}
