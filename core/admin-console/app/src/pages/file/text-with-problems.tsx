import { useRef, useState } from 'react';
import type { Problem } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { type LineMark, TextEditor, type TextEditorHandle } from '../../parts/text-editor.tsx';
import { ProblemList } from './problem-list.tsx';
import { texts } from './texts.ts';

/** A text with its problems in the margin and below it, each of which leads to its line. */
export function TextWithProblems(props: {
  label: string;
  text: string;
  problems: readonly Problem[];
  problemsTitle: string;
  placeholder?: string;
  /** Undefined if the text is read-only. */
  onChange?: (text: string) => void;
}) {
  const strings = useTexts(texts);
  const { label, text, problems, problemsTitle, placeholder, onChange } = props;
  const editor = useRef<TextEditorHandle>(null);
  const [current, setCurrent] = useState<number>();
  const lines = [...new Set(problems.map(({ line }) => line).filter((line) => line > 0))];
  const marks: readonly LineMark[] = lines.map((line) => {
    const messages = problems.filter((problem) => problem.line === line).map(({ message }) => message);
    return { line, label: strings.markOf(line, messages.join('; ')) };
  });
  return (
    <div>
      <TextEditor
        ref={editor}
        label={label}
        text={text}
        marks={marks}
        isReadOnly={onChange === undefined}
        onMark={setCurrent}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(onChange === undefined ? {} : { onChange })}
      />
      <ProblemList
        title={problemsTitle}
        problems={problems}
        current={current}
        onChoose={({ line }) => {
          setCurrent(line);
          editor.current?.goTo(line);
        }}
      />
    </div>
  );
}
