// Builds the static Storybook that `cargo lab sources` checks.
export default {
  stories: ["../stories/*.mdx", "../stories/*.stories.jsx"],
  framework: "@storybook/react-vite",
  core: { disableTelemetry: true },
};
