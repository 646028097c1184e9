import { Component, type ReactNode } from 'react';
import { useMessages } from '../messages/language.tsx';
import { Page } from './page.tsx';

/** Catches errors that a page throws, so that the frame still works. A new `path` resets it. */
export class PageError extends Component<{ path: string; children: ReactNode }, { error?: Error; path?: string }> {
  override state: { error?: Error; path?: string } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  static getDerivedStateFromProps({ path }: { path: string }, state: { path?: string }) {
    return path === state.path ? null : { path, error: undefined };
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <ErrorDetails error={this.state.error} />;
  }
}

function ErrorDetails({ error }: { error: Error }) {
  const { failure, signIn } = useMessages();
  return (
    <Page title={failure.page} lead={failure.pageLead}>
      <pre className="told">{error.message}</pre>
      <button type="button" onClick={() => location.reload()}>
        {signIn.reload}
      </button>
    </Page>
  );
}
