// Builds the static Storybook that `cargo lab scale` checks.
export default {
  stories: ["../stories/*.mdx", "../stories/*.stories.jsx"],
  addons: ["@storybook/addon-docs"],
  framework: "@storybook/react-vite",
  // The stories use JSX without importing React.
  viteFinal: (config) => ({ ...config, esbuild: { ...config.esbuild, jsx: "automatic" } }),
  core: { disableTelemetry: true },
};
