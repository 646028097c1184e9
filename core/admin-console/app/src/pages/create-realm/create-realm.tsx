import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { createRealm, REALM_NAMES } from '../../api/realms.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { FileField } from './file-field.tsx';
import { ImportReport } from './import-report.tsx';
import { isRealmName, type NewRealmValues, newRealm, readRealm, valuesIn } from './realm-document.ts';
import { texts as createTexts } from './texts.ts';
import { useDocumentReport } from './use-document-report.ts';

const EMPTY: NewRealmValues = { name: '', displayName: '', isEnabled: true };

/**
 * Creates a realm, from a file if there is one, and opens its settings. If the import report has findings, it is shown
 * first.
 */
export default function CreateRealm({ onClose }: { onClose: () => void }) {
  const texts = useTexts(createTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [values, setValues] = useState(EMPTY);
  const [text, setText] = useState('');
  const { document, mistake } = useMemo(() => readText(text, texts.notRealm), [text, texts.notRealm]);
  const name = values.name.trim();
  const state = useDocumentReport(text, document !== undefined);
  const { warnings = [], newSecrets = [] } = state.report?.realm ?? {};
  const hasFindings = warnings.length + newSecrets.length > 0;
  const open = (created: string) => navigate(`/realms/${encodeSegment(created)}/settings`);
  const create = useMutation({
    mutationFn: () => createRealm(newRealm(document, { ...values, name })),
    onSuccess: async (created) => {
      await client.invalidateQueries({ queryKey: REALM_NAMES });
      if (!hasFindings) open(created);
    },
  });
  const onFile = (next: string) => {
    setText(next);
    const nextDocument = readText(next, texts.notRealm).document;
    if (nextDocument !== undefined) setValues(valuesIn(nextDocument));
  };
  const isNamed = isRealmName(name);
  if (create.data !== undefined) {
    return (
      <DialogForm
        title={texts.created(create.data)}
        action={texts.open}
        dismiss={texts.close}
        isBusy={false}
        failure={null}
        onSubmit={() => open(create.data)}
        onClose={onClose}
      >
        <ImportReport state={state} />
      </DialogForm>
    );
  }
  return (
    <DialogForm
      title={texts.title}
      action={texts.create}
      isReady={isNamed && mistake === undefined}
      isBusy={create.isPending}
      failure={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        required
        help={texts.nameHelp}
        error={isNamed || name === '' ? undefined : texts.nameInvalid}
        value={values.name}
        onChange={({ target }) => setValues({ ...values, name: target.value })}
      />
      <TextField
        label={texts.displayName}
        value={values.displayName}
        onChange={({ target }) => setValues({ ...values, displayName: target.value })}
      />
      <CheckField
        label={texts.enabled}
        isOn={values.isEnabled}
        onTurn={(isEnabled) => setValues({ ...values, isEnabled })}
      />
      <FileField text={text} error={mistake === undefined ? undefined : texts.invalid(mistake)} onText={onFile} />
      {text.trim() !== '' && mistake === undefined && <ImportReport state={state} />}
    </DialogForm>
  );
}

function readText(text: string, notRealm: string) {
  try {
    return { document: readRealm(text, notRealm) };
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) };
  }
}
