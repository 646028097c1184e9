import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
  const { data: file, error, isPending, refetch } = useQuery(realmFile(realm));
  /** The text in the editor; undefined if it equals the file. */
  const [draft, setDraft] = useState<string>();
  return (
    <>
      {isPending && <p className="loading">{loading}</p>}
      {file === null && <p className="nothing">{strings.noFile(realm)}</p>}
      {error !== null && <FailureNotice failure={error} onRetry={() => void refetch()} />}
      {file && <FileState file={file} />}
      {file && <Drift realm={realm} file={file} />}
      {file !== undefined && (
        <>
          <FileText realm={realm} file={file ?? undefined} draft={draft} onDraft={setDraft} />
          <Export realm={realm} onEdit={setDraft} />
        </>
      )}
    </>
  );
}
