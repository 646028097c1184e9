import { Link } from 'wouter';
import { fileHref, type RealmFileState } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { StateBadge } from './state-badge.tsx';
import { texts } from './texts.ts';

export function FileTable({ files }: { files: readonly RealmFileState[] }) {
  const strings = useTexts(texts);
  const columns: readonly Column<RealmFileState>[] = [
    {
      title: strings.file,
      show: (file) => (
        <>
          <Link href={fileHref(file)}>{file.realm ?? file.path}</Link>
          {file.realm === undefined && <small> {strings.noRealm}</small>}
        </>
      ),
    },
    { title: strings.path, isMinor: true, show: ({ path }) => <code>{path}</code> },
    { title: strings.state, show: ({ state }) => <StateBadge state={state} /> },
    { title: strings.problem, show: (file) => <ProblemSummary file={file} /> },
    { title: strings.version, isMinor: true, isNumber: true, show: ({ version }) => version },
    { title: strings.since, isMinor: true, show: ({ since }) => since && <Time at={since} /> },
  ];
  return (
    <DataTable
      caption={strings.caption}
      columns={columns}
      rows={files}
      keyOf={({ path, realm }) => `${path} ${realm}`}
    />
  );
}

/** The first mistake, or the number of edits. */
function ProblemSummary({ file: { problems, edits } }: { file: RealmFileState }) {
  const strings = useTexts(texts);
  const [first, ...others] = problems;
  if (first === undefined) return edits.length > 0 ? strings.edits(edits.length) : null;
  return (
    <>
      {first.line > 0 && `${first.line}:${first.column} `}
      {first.path} {first.message}
      {others.length > 0 && <small> {strings.more(others.length)}</small>}
    </>
  );
}
