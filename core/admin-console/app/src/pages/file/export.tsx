import { useMutation } from '@tanstack/react-query';
import { exportRealm } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { downloadText } from '../../parts/download-text.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { texts } from './texts.ts';

/** The live realm as a file. @param props.onEdit takes it over into the editor */
export function Export({ realm, onEdit }: { realm: string; onEdit: (text: string) => void }) {
  const strings = useTexts(texts);
  const exportQuery = useMutation({ mutationFn: () => exportRealm(realm) });
  const withExport = (use: (text: string) => void) => () => exportQuery.mutate(undefined, { onSuccess: use });
  return (
    <section>
      <h2>{strings.export}</h2>
      <p className="help section-lead">{strings.exportLead}</p>
      <p className="actions">
        <button
          type="button"
          disabled={exportQuery.isPending}
          onClick={withExport((text) => downloadText(`${realm}.json`, text))}
        >
          {strings.download}
        </button>
        <CopyButton text={() => exportQuery.mutateAsync()} label={strings.export} />
        <button type="button" disabled={exportQuery.isPending} onClick={withExport(onEdit)}>
          {strings.intoEditor}
        </button>
      </p>
      <div className="outcome">{exportQuery.error !== null && <FailureNotice failure={exportQuery.error} />}</div>
    </section>
  );
}
