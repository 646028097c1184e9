import { useState } from 'react';
import type { RealmFile } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { DocumentEditor } from './document-editor.tsx';
import { TextWithProblems } from './text-with-problems.tsx';
import { texts } from './texts.ts';

/**
 * The files of a realm as text. The main one can be edited; files with users are only shown.
 * @param props.file undefined if there is none
 */
export function FileText(props: {
  realm: string;
  file: RealmFile | undefined;
  draft: string | undefined;
  onDraft: (draft: string | undefined) => void;
}) {
  const strings = useTexts(texts);
  const { realm, file, draft, onDraft } = props;
  const files = file?.files ?? [];
  const [chosen, setChosen] = useState<string>();
  const shown = files.find(({ path }) => path === chosen) ?? files[0];
  const isMain = shown === files[0];
  const problems = (file?.problems ?? []).filter((problem) => (problem.file ?? files[0]?.path) === shown?.path);
  return (
    <section className="document">
      <h2>{file === undefined ? strings.document : strings.text}</h2>
      <p className="help">{strings.textLead}</p>
      {files.length > 1 && (
        <label className="file-choice">
          {strings.whichFile}
          <select value={shown?.path} onChange={({ target }) => setChosen(target.value)}>
            {files.map(({ path }) => {
              const count = file?.problems.filter((problem) => problem.file === path).length ?? 0;
              return (
                <option key={path} value={path}>
                  {count === 0 ? path : `${path} (${strings.problems(count)})`}
                </option>
              );
            })}
          </select>
        </label>
      )}
      {shown !== undefined && shown.text === undefined && <p className="nothing">{strings.tooLarge}</p>}
      {/* Stays mounted while another file is shown, so that no input is lost. */}
      <div hidden={!isMain} className="document">
        <DocumentEditor
          realm={realm}
          label={files[0] === undefined ? strings.document : strings.textOf(files[0].path)}
          // A text area normalises line ends.
          text={files[0]?.text?.replaceAll('\r\n', '\n')}
          problems={isMain ? problems : []}
          draft={draft}
          onDraft={onDraft}
        />
      </div>
      {!isMain && shown?.text !== undefined && (
        <TextWithProblems
          label={strings.textOf(shown.path)}
          text={shown.text}
          problems={problems}
          problemsTitle={strings.problems(problems.length)}
        />
      )}
    </section>
  );
}
