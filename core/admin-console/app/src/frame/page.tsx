import { type ReactNode, useEffect, useRef } from 'react';

/** False until the first page is shown: after a page load the focus stays at the top, at the skip link. */
let hasShown = false;

/** A page with its heading. After a navigation the heading gets the focus, so that screen readers announce the page. */
export function Page({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Keyhost`;
  }, [title]);
  useEffect(() => {
    if (hasShown) heading.current?.focus();
    hasShown = true;
  }, []);
  return (
    <div className="page">
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <div className="page-lead">{lead}</div>}
      </div>
      {children}
    </div>
  );
}
