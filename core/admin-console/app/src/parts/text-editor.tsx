import { type CSSProperties, type Ref, useImperativeHandle, useRef } from 'react';

/** A note on a line. @param line from 1 */
export interface LineMark {
  readonly line: number;
  readonly label: string;
}

export interface TextEditorHandle {
  /** Selects a line, scrolls to it, and focuses the text. @param line from 1 */
  goTo(line: number): void;
}

const MAX_ROWS = 26;
const MIN_ROWS = 6;
/** The width of the margin in characters, in addition to the digits. */
const MARGIN = 3;

/** A text with line numbers, and marks in the margin that lead to lines. */
export function TextEditor(props: {
  label: string;
  text: string;
  marks: readonly LineMark[];
  isReadOnly?: boolean;
  placeholder?: string;
  onChange?: (text: string) => void;
  onMark?: (line: number) => void;
  ref?: Ref<TextEditorHandle>;
}) {
  const { label, text, marks, isReadOnly = false, placeholder, onChange, onMark, ref } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const count = text.split('\n').length;
  useImperativeHandle(ref, () => ({ goTo: (line) => area.current && select(area.current, line) }));
  const goToMark = (line: number) => {
    if (area.current !== null) select(area.current, line);
    onMark?.(line);
  };
  const width = { '--gutter': `${String(count).length + MARGIN}ch` } as CSSProperties;
  return (
    <div className="editor" style={width}>
      <div
        className="editor-gutter"
        ref={gutter}
        onScroll={({ currentTarget: { scrollTop } }) => area.current && syncScroll(area.current, scrollTop)}
      >
        <pre aria-hidden="true">{Array.from({ length: count }, (_, index) => index + 1).join('\n')}</pre>
        {marks.map(({ line, label: note }) => (
          <button
            key={line}
            type="button"
            className="editor-mark"
            style={{ insetBlockStart: `calc(var(--code-line) * ${line - 1} + var(--s2))` }}
            aria-label={note}
            title={note}
            onClick={() => goToMark(line)}
          >
            {line}
          </button>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label={label}
        aria-invalid={marks.length > 0 || undefined}
        value={text}
        readOnly={isReadOnly}
        placeholder={placeholder}
        rows={Math.min(Math.max(count + 1, MIN_ROWS), MAX_ROWS)}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={({ target }) => onChange?.(target.value)}
        onScroll={({ currentTarget: { scrollTop } }) => gutter.current && syncScroll(gutter.current, scrollTop)}
      />
    </div>
  );
}

function syncScroll(element: HTMLElement, scrollTop: number): void {
  if (element.scrollTop !== scrollTop) element.scrollTop = scrollTop;
}

function select(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const height = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.focus({ preventScroll: true });
  area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  area.scrollTop = Math.max(0, height * (line - 1) - area.clientHeight / 3);
  area.scrollLeft = 0;
  area.scrollIntoView({ block: 'nearest' });
}
