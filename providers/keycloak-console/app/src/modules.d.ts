declare module 'virtual:messages' {
  /** By language (BCP 47): loads its texts. */
  export const languages: Readonly<Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>>;
}
declare module '*.svg' {
  /** Where the file is. */
  const address: string;
  export default address;
}
declare module '*.css';
