import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { importKey, keysKey, type RealmKey } from '../../api/keys.ts';
import { useUnsaved } from '../../frame/unsaved.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { CheckField, ChoiceField, LinesField, TextField } from '../../parts/field.tsx';
import { nextPriority } from './key-state.ts';
import { texts as keysTexts } from './texts.ts';

const SIGNATURE = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const ENCRYPTION = ['RSA-OAEP', 'RSA-OAEP-256'];
const PRIORITY = /^-?\d{1,15}$/;

/** Imports an RSA key as PEM. The private key is sent once, and the host never returns it. */
export function ImportKey(props: {
  realm: string;
  keys: readonly RealmKey[];
  onImported: () => void;
  onClose: () => void;
}) {
  const { realm, keys, onImported, onClose } = props;
  const texts = useTexts(keysTexts);
  const client = useQueryClient();
  const [typed, setTyped] = useState({ name: 'rsa', algorithm: 'RS256', privateKey: '', certificate: '' });
  const [typedPriority, setPriority] = useState<string>();
  const [isPassive, setPassive] = useState(false);
  const next = nextPriority(keys, typed.algorithm);
  const priority = typedPriority ?? String(next);
  const save = useMutation({
    // The private key is dropped with the dialog.
    gcTime: 0,
    mutationFn: () => {
      const { name, algorithm, privateKey, certificate } = typed;
      return importKey(realm, {
        name: name.trim(),
        providerId: SIGNATURE.includes(algorithm) ? 'rsa' : 'rsa-enc',
        config: {
          algorithm: [algorithm],
          privateKey: [privateKey],
          ...(certificate.trim() === '' ? {} : { certificate: [certificate] }),
          priority: [priority],
          active: [String(!isPassive)],
        },
      });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keysKey(realm) });
      onImported();
      onClose();
    },
  });
  useUnsaved(typed.privateKey !== '');
  const errors = fieldErrors(save.error);
  const change = (member: keyof typeof typed) => (value: string) => {
    save.reset();
    setTyped({ ...typed, [member]: value });
  };
  const isValidPriority = PRIORITY.test(priority);
  return (
    <DialogForm
      title={texts.importing}
      action={texts.import}
      isReady={typed.name.trim() !== '' && typed.privateKey.trim() !== '' && isValidPriority}
      isBusy={save.isPending}
      failure={Object.keys(errors).length > 0 ? null : save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <p className="help">{texts.importLead}</p>
      <TextField label={texts.name} value={typed.name} onChange={({ target }) => change('name')(target.value)} />
      <ChoiceField
        label={texts.algorithm}
        value={typed.algorithm}
        options={[...SIGNATURE, ...ENCRYPTION].map((one) => [one, one] as const)}
        error={errors.algorithm}
        onChange={change('algorithm')}
      />
      <LinesField
        label={texts.privateKey}
        help={texts.privateKeyHelp}
        value={typed.privateKey}
        isReadOnly={false}
        error={errors.privateKey}
        onChange={change('privateKey')}
      />
      <LinesField
        label={texts.certificate}
        help={texts.certificateHelp}
        value={typed.certificate}
        isReadOnly={false}
        error={errors.certificate}
        onChange={change('certificate')}
      />
      <TextField
        label={texts.importPriority}
        help={texts.importPriorityHelp(next - 100)}
        inputMode="numeric"
        value={priority}
        error={isValidPriority ? errors.priority : texts.importPriorityInvalid}
        onChange={({ target }) => setPriority(target.value)}
      />
      <CheckField label={texts.importPassive} help={texts.importPassiveHelp} isOn={isPassive} onTurn={setPassive} />
    </DialogForm>
  );
}

const FIELDS = ['algorithm', 'privateKey', 'certificate', 'priority'] as const;

/** The host's message at its field, without the name of the member: `config.privateKey: …`. */
function fieldErrors(failure: Error | null): Partial<Record<(typeof FIELDS)[number], string>> {
  if (!(failure instanceof ApiFailure)) return {};
  const { status, hostMessage = '' } = failure;
  if (status === 409) return { privateKey: hostMessage };
  const [, member, message] = /^config\.(\w+): (.*)$/s.exec(hostMessage) ?? [];
  const field = FIELDS.find((one) => one === member);
  return field === undefined || message === undefined ? {} : { [field]: message };
}
