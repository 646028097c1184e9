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
  const read = useMutation({ mutationFn: () => exportRealm(realm) });
  const whenRead = (then: (text: string) => void) => () => read.mutate(undefined, { onSuccess: then });
  return (
    <section>
      <h2>{strings.export}</h2>
      <p className="help section-lead">{strings.exportLead}</p>
      <p className="actions">
        <button
          type="button"
          disabled={read.isPending}
          onClick={whenRead((text) => downloadText(`${realm}.json`, text))}
        >
          {strings.download}
        </button>
        <CopyButton text={() => read.mutateAsync()} label={strings.export} />
        <button type="button" disabled={read.isPending} onClick={whenRead(onEdit)}>
          {strings.intoEditor}
        </button>
      </p>
      <div className="outcome">{read.error !== null && <FailureNotice failure={read.error} />}</div>
    </section>
  );
}
