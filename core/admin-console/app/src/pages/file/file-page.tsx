import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { realmFile } from '../../api/realm-files.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HostOnly } from '../../parts/host-only.tsx';
import { Drift } from './drift.tsx';
import { Export } from './export.tsx';
import { FileState } from './file-state.tsx';
import { FileText } from './file-text.tsx';
import { texts } from './texts.ts';

export default function FilePage({ realm }: { realm: string }) {
  const strings = useTexts(texts);
  return (
    <Page title={strings.title(realm)} lead={strings.lead}>
      <HostOnly>
        <RealmFileView realm={realm} />
      </HostOnly>
    </Page>
  );
}

function RealmFileView({ realm }: { realm: string }) {
  const strings = useTexts(texts);
  const { loading } = useMessages();
  const { data, error, isPending, refetch } = useQuery(realmFile(realm));
  /** The text in the editor; undefined if it equals the file. */
  const [draft, setDraft] = useState<string>();
  const isAbsent = error instanceof ApiFailure && error.kind === 'absent';
  // Data of a deleted file is obsolete.
  const file = isAbsent ? undefined : data;
  if (isPending) return <p className="loading">{loading}</p>;
  return (
    <>
      {isAbsent && <p className="nothing">{strings.noFile(realm)}</p>}
      {error !== null && !isAbsent && <FailureNotice failure={error} onRetry={() => void refetch()} />}
      {file !== undefined && <FileState file={file} />}
      {file !== undefined && <Drift realm={realm} file={file} />}
      {(file !== undefined || isAbsent) && (
        <>
          <FileText realm={realm} file={file} draft={draft} onDraft={setDraft} />
          <Export realm={realm} onEdit={setDraft} />
        </>
      )}
    </>
  );
}
