/** A text edit offered as one click; line and column from 1, end exclusive. */
export interface Fix {
  title: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  text: string;
}

/** A refusal or a remark at a place of a manifest's text; line and column from 1, end exclusive. The page gets it in this shape. */
export interface Problem {
  severity: 'error' | 'warning' | 'info';
  source: 'yaml' | 'kubectl' | 'apiserver' | 'kubelapse';
  message: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  fieldPath?: string;
  fix?: Fix;
}
