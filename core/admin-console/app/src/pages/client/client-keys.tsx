import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clientKeys, importKeys, KEY_FORMATS, type KeyFormat, type ClientKeys as Keys } from '../../api/client-keys.ts';
import { clientsKey } from '../../api/clients.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { ChoiceField, LinesField } from '../../parts/field.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import type { ClientSectionProps } from './client-frame.tsx';
import { texts as clientTexts } from './texts.ts';

/** The public keys that the client's JWTs are verified with. */
export function ClientKeys(props: ClientSectionProps) {
  const { realm, client } = props;
  const texts = useTexts(clientTexts);
  const query = useQuery(clientKeys(realm, client.id));
  const [isImporting, setImporting] = useState(false);
  const [done, setDone] = useState<string>();
  return (
    <section>
      <div className="section-head">
        <h2>{texts.keys}</h2>
        {client.access.manage && (
          <button type="button" onClick={() => setImporting(true)}>
            {texts.importKeys}
          </button>
        )}
      </div>
      <div className="card fields">
        <p className="help">{texts.keysHelp}</p>
        <QueryResult query={query}>{(keys) => <KeyText keys={keys} />}</QueryResult>
        <Outcome done={done} />
      </div>
      {isImporting && (
        <ImportKeys {...props} onDone={() => setDone(texts.keysImported)} onClose={() => setImporting(false)} />
      )}
    </section>
  );
}

function KeyText({ keys: { jwks, certificate, publicKey, kid } }: { keys: Keys }) {
  const texts = useTexts(clientTexts);
  const text = jwks ?? certificate ?? publicKey;
  if (text === undefined) return <p>{texts.noKeys}</p>;
  return (
    <div>
      <p className="field-name">
        {jwks !== undefined ? texts.keySet : certificate !== undefined ? texts.certificate : texts.publicKey}
        {kid !== undefined && ` (${kid})`}
      </p>
      <pre className="told">{text}</pre>
    </div>
  );
}

function ImportKeys({
  realm,
  client,
  tag,
  onDone,
  onClose,
}: ClientSectionProps & { onDone: () => void; onClose: () => void }) {
  const texts = useTexts(clientTexts);
  const queries = useQueryClient();
  const [format, setFormat] = useState<KeyFormat>('Certificate PEM');
  const [text, setText] = useState('');
  const save = useMutation({
    mutationFn: () => importKeys(realm, client.id, { format, text, ifMatch: tag }),
    onSuccess: () => {
      onDone();
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey(realm) }),
  });
  return (
    <DialogForm
      title={texts.importKeys}
      action={texts.importAction}
      isReady={text.trim() !== ''}
      isBusy={save.isPending}
      failure={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <ChoiceField
        label={texts.keyFormat}
        value={format}
        options={KEY_FORMATS.map((one) => [one, texts.keyFormats[one]])}
        onChange={(value) => setFormat(value as KeyFormat)}
      />
      <LinesField label={texts.keyText} help={texts.keyTextHelp} value={text} isReadOnly={false} onChange={setText} />
    </DialogForm>
  );
}
