# A Homebrew formula. URL and SHA256 are those of a release's source archive; release sets them (packaging/README.md).
class Remora < Formula
  desc "Network packet analyser for the terminal"
  homepage "https://remora.invalid"
  url "https://remora.invalid/remora-VERSION.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "go" => :build
  uses_from_macos "libpcap"

  def install
    system "go", "build", "-trimpath", "-ldflags", "-s -w -X main.version=#{version}", "-o", bin/"remora", "."
    generate_completions_from_executable(bin/"remora", "completion")
    (man1/"remora.1").write Utils.safe_popen_read(bin/"remora", "--man")
  end

  test do
    assert_match "remora", shell_output("#{bin}/remora --version")
    assert_match "libpcap", shell_output("#{bin}/remora doctor", nil)
  end
end
