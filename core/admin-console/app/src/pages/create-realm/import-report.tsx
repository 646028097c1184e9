import type { DocumentReport, Problem } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { downloadText } from '../../parts/download-text.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { reportText } from './report-text.ts';
import { texts as createTexts } from './texts.ts';
import type { ReportState } from './use-document-report.ts';

/** The number of findings that are shown; the downloaded report has all. */
const MAX_SHOWN = 50;

/** The report about a realm file, or why there is none. */
export function ImportReport({ state }: { state: ReportState }) {
  const texts = useTexts(createTexts);
  const { report, isChecking, isTooLarge, failure } = state;
  if (isTooLarge) return <p className="notice">{texts.tooLarge}</p>;
  if (failure !== null) return <FailureNotice failure={failure} />;
  return (
    <>
      <p role="status" className="help">
        {isChecking && texts.checking}
      </p>
      {report !== undefined && <Report report={report} />}
    </>
  );
}

function Report({ report }: { report: DocumentReport }) {
  const texts = useTexts(createTexts);
  const { realm } = report;
  const { warnings = [], newSecrets = [] } = realm ?? {};
  return (
    <section className="import-report">
      <h3>{texts.report}</h3>
      {realm !== undefined && <p>{texts.counts(realm.clients, realm.groups, realm.users)}</p>}
      {report.problems.length > 0 && (
        <section className="notice notice-bad">
          <h4>{texts.mistakes(report.problems.length)}</h4>
          <Findings problems={report.problems} />
        </section>
      )}
      {newSecrets.length > 0 && (
        <section className="notice notice-warning">
          <h4>{texts.secrets(newSecrets.length)}</h4>
          <p>{texts.secretsLead}</p>
          <ul>
            {newSecrets.slice(0, MAX_SHOWN).map((clientId) => (
              <li key={clientId}>
                <code>{clientId}</code>
              </li>
            ))}
          </ul>
          <More count={newSecrets.length} />
        </section>
      )}
      {warnings.length > 0 && (
        <details className="notice notice-warning" open={warnings.length <= 5}>
          <summary>{texts.warnings(warnings.length)}</summary>
          <Findings problems={warnings} />
        </details>
      )}
      {realm !== undefined && warnings.length + newSecrets.length === 0 && <p>{texts.noWarnings}</p>}
      <p className="actions">
        <button type="button" onClick={() => downloadText(`${realm?.name ?? 'realm'}-import.txt`, reportText(report))}>
          {texts.download}
        </button>
      </p>
    </section>
  );
}

function Findings({ problems }: { problems: readonly Problem[] }) {
  const texts = useTexts(createTexts);
  return (
    <>
      <ul>
        {problems.slice(0, MAX_SHOWN).map(({ line, column, path, message }) => (
          <li key={`${line}:${column} ${path} ${message}`}>
            {line > 0 && texts.place(line, column)} {path !== '' && <code>{path}</code>} {message}
          </li>
        ))}
      </ul>
      <More count={problems.length} />
    </>
  );
}

function More({ count }: { count: number }) {
  const texts = useTexts(createTexts);
  return count > MAX_SHOWN ? <p>{texts.more(count - MAX_SHOWN)}</p> : null;
}
