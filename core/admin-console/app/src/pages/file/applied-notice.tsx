import type { AppliedDocument } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { downloadText } from '../../parts/download-text.ts';
import { texts } from './texts.ts';

/** The outcome of applying a document, with a warning if the file on disk differs. */
export function AppliedNotice(props: { applied: AppliedDocument; realm: string; document: string }) {
  const strings = useTexts(texts);
  const { applied, realm, document } = props;
  const { outcome, version, usersCreated, isBeside = false } = applied;
  return (
    <section className={`notice notice-${isBeside ? 'warning' : 'good'}`} role="status">
      <h2>{outcome === 'applied' ? strings.applied(version) : strings.unchanged}</h2>
      {usersCreated > 0 && <p>{strings.usersCreated(usersCreated)}</p>}
      {isBeside && (
        <>
          <p>{strings.beside}</p>
          <p className="actions">
            <button type="button" onClick={() => downloadText(`${realm}.json`, document)}>
              {strings.downloadText}
            </button>
          </p>
        </>
      )}
    </section>
  );
}
