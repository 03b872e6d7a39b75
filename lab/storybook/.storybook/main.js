// Builds the static Storybook that `cargo lab sources` checks.
export default {
  stories: ["../stories/*.mdx", "../stories/*.stories.jsx"],
  addons: ["@storybook/addon-docs"],
  framework: "@storybook/react-vite",
  core: { disableTelemetry: true },
};
