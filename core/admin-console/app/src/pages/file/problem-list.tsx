import type { Problem } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { texts } from './texts.ts';

/** The problems of a text, each with a link to its line. @param props.current the chosen line */
export function ProblemList(props: {
  title: string;
  problems: readonly Problem[];
  current: number | undefined;
  onChoose: (problem: Problem) => void;
}) {
  const strings = useTexts(texts);
  const { title, problems, current, onChoose } = props;
  if (problems.length === 0) return null;
  return (
    <div className="problems" role="alert">
      <h3>{title}</h3>
      <ul>
        {problems.map((problem) => {
          const { file, line, column, path, message, suggestion } = problem;
          return (
            <li key={`${file} ${line} ${column} ${path} ${message}`} aria-current={line === current || undefined}>
              {line === 0 ? (
                <span>{strings.wholeFile}</span>
              ) : (
                <button
                  type="button"
                  className="plain"
                  aria-label={`${strings.goTo(line)}: ${message}`}
                  onClick={() => onChoose(problem)}
                >
                  {strings.place(line, column)}
                </button>
              )}
              <span>
                {path !== '' && <code>{path}</code>} {message}.
                {suggestion !== undefined && ` ${strings.suggestion(suggestion)}`}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
