// The scripts of the browser pages. Names that are not defined are TypeScript's business (tsconfig.json).

import js from "@eslint/js";

export default [
  { files: ["src/pentagrid/web/**/*.js", "eslint.config.js"] },
  { ignores: ["**/.venv/", "build/", "site/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "array-callback-return": "error",
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      "default-case-last": "error",
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-return-assign": "error",
      "no-self-compare": "error",
      "no-sequences": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-unused-expressions": "error",
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-useless-concat": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Text only ever goes in as text." },
        { property: "outerHTML", message: "Text only ever goes in as text." },
        { property: "insertAdjacentHTML", message: "Text only ever goes in as text." },
      ],
    },
  },
];
